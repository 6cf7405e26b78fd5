// A variable of a call has another address than those of its callers and of other threads.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int *gone;

static void leave(void) {
    int passing = 0;
    gone = &passing;
    passing++;
}

/* Whatever has the address of what main's call left, it is not on this stack. */
static void *other(void *of_main) {
    int own = 0;
    assert(&own != gone);
    assert(&own != of_main);
    return NULL;
}

int main(void) {
    int before = 0;
    leave();
    assert(gone != &before);
    pthread_t t;
    pthread_create(&t, NULL, other, &before);
    pthread_join(t, NULL);
    return 0;
}
