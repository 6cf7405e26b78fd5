// The signal may be given after the unlock, as long as the predicate changes under the lock.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *sender(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&arrived);
    return NULL;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, NULL, sender, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&arrived, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(s, NULL);
    assert(ready);
    return 0;
}
