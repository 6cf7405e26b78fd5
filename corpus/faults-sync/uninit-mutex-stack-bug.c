// A mutex on the stack is used without being initialised.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    pthread_mutex_t *lock = arg;
    pthread_mutex_lock(lock); //~ lock-misuse
    counter++;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void) {
    pthread_mutex_t lock; // pthread_mutex_init is missing
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
