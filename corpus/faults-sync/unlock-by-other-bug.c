// A mutex used as a signal: one thread locks it, another one unlocks it.
// expect: lock-misuse=unsafe assert=safe race=safe memory=safe uninit=safe deadlock=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_mutex_t started = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_unlock(&started); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&started);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
