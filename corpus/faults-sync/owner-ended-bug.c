// A thread that fails early ends with the mutex in its hands; the next one waits for ever.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock); //~ deadlock
    if (tp_nondet_bool())
        return NULL; // without unlock
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    return 0;
}
