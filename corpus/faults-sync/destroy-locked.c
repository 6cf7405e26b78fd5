// main destroys the mutex after it has joined its last user.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
