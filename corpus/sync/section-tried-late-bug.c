// An empty critical section is seen by a thread that tries the lock, after it took it twice.
// expect: assert=unsafe race=safe deadlock=safe lock-misuse=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *trier(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    int failed = pthread_mutex_trylock(&lock);
    assert(!failed); //~ assert
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, taker, 0);
    pthread_create(&second, 0, trier, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
