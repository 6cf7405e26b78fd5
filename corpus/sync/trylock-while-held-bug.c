// A lock is held for a moment only, in which nothing is done; who tries it then
// does not get it.
// expect: assert=unsafe deadlock=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *try(void *arg) {
    int failed = pthread_mutex_trylock(&lock);
    assert(!failed); //~ assert
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, hold, 0);
    pthread_create(&threads[1], 0, try, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
