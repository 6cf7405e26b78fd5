// A thread created detached detaches nothing else: main waits on a condition instead of joining.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool done;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, NULL);
    pthread_attr_destroy(&attr);

    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    assert(done);
    return 0;
}
