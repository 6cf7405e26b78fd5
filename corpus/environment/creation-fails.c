// A thread that could not be created is replaced by a call.
// expect: default=safe
// options: --create-may-fail
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int done;

static void *start(void *argument) {
    done++;
    return 0;
}

int main(void) {
    pthread_t thread;
    int failed = pthread_create(&thread, 0, start, 0);
    assert(failed == 0 || failed == EAGAIN);
    if (failed)
        start(0);
    else
        pthread_join(thread, 0);
    assert(done == 1);
    return 0;
}
