// Creating a thread may fail, and then its result is not there.
// expect: assert=unsafe
// options: --create-may-fail
#include <assert.h>
#include <pthread.h>

int done;

static void *start(void *argument) {
    done = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, start, 0) == 0) pthread_join(thread, 0);
    assert(done); //~ assert
    return 0;
}
