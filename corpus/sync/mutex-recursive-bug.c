// A recursive mutex that is locked twice and unlocked once stays with its owner.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock); //~ deadlock
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock); // one is missing
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);

    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    return 0;
}
