// A wakeup cannot be lost if a predicate records it.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static bool is_done;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    is_done = true;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (!is_done)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
