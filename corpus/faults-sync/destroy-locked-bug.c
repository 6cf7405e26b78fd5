// main destroys a mutex that a thread may hold or want at that moment.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock); //~ lock-misuse
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_destroy(&lock); //~ lock-misuse
    pthread_join(t, NULL);
    return 0;
}
