// On a 32-bit machine a plain long long is written in two steps.
// expect: assert=unsafe race=unsafe
// data-model: ilp32
#include <assert.h>
#include <pthread.h>

long long shared;

static void *negate(void *argument) {
    shared = -1; //~ race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, negate, 0);
    long long seen = shared; //~ race
    assert(seen == 0 || seen == -1); //~ assert
    pthread_join(thread, 0);
    return 0;
}
