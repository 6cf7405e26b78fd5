// What the main thread sets before there are others is what they find.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

int size, limit = 5;

static void *run(void *arg) {
    assert(size == 3);
    assert(limit == 5);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    size = 3;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
