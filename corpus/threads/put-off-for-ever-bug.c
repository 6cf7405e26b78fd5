// A thread that takes and gives back locks for ever does not keep another from failing.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    assert(arg != 0); //~ assert
    return arg;
}

static void use(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (;;) {
        use(&one);
        use(&other);
    }
}
