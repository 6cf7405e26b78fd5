// pthread_exit in a nested call leaves the mutex locked; main blocks on it after the join.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void give_up(void) {
    pthread_exit(NULL);
}

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    give_up();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock); //~ deadlock
    pthread_mutex_unlock(&lock);
    return 0;
}
