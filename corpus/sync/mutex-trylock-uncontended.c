// A trylock of a mutex that nobody else uses cannot fail; by its holder it reports EBUSY.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mine[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
    pthread_mutex_t *lock = arg;
    int rc = pthread_mutex_trylock(lock);
    assert(rc == 0);
    rc = pthread_mutex_trylock(lock);
    assert(rc == EBUSY);
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &mine[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
