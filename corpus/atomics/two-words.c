// An atomic access of two words is one step.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

#define ONES (~(unsigned __int128)0)

_Atomic unsigned __int128 shared;

static void *fill(void *argument) {
    shared = ONES;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    unsigned __int128 seen = shared;
    assert(seen == 0 || seen == ONES);
    pthread_join(thread, 0);
    return 0;
}
