// A thread announces itself, takes a lock and keeps it. Whoever gets the lock
// in between sees the announcement; whoever comes later waits for ever.
// expect: assert=unsafe deadlock=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int announced;

static void *keep(void *arg) {
    announced = 1;
    pthread_mutex_lock(&lock);
    announced = 2;
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&lock); //~ deadlock
    assert(announced != 1); //~ assert
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, keep, 0);
    pthread_create(&threads[1], 0, look, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
