// A thread announces itself, takes a lock and keeps it. Who has seen the
// announcement goes for the lock too, and may still come first; else it waits
// for ever.
// expect: assert=unsafe deadlock=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int announced;

static void *keep(void *arg) {
    announced = 1;
    pthread_mutex_lock(&lock); //~ deadlock
    return arg;
}

static void *follow(void *arg) {
    if (announced) {
        pthread_mutex_lock(&lock); //~ deadlock
        assert(0); //~ assert
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, keep, 0);
    pthread_create(&threads[1], 0, follow, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
