// The predicate changes without the lock, between the waiter's test and its wait: the signal is missed.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *setter(void *arg) {
    (void)arg;
    ready = true; // the lock is missing
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock); //~ deadlock
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
