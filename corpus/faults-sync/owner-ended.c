// A thread that fails early gives its mutex back on that path, too.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include "threadproof.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (tp_nondet_bool()) {
        pthread_mutex_unlock(&lock);
        return NULL; // the early way out
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
