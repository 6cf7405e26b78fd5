// A pool that signals its stop instead of broadcasting it leaves a worker asleep for ever.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int submitted, started;
static bool stopping;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (started == submitted && !stopping)
            pthread_cond_wait(&changed, &lock); //~ deadlock
        if (started == submitted)
            break;
        started++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    submitted++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_signal(&changed); // two workers may be waiting
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    assert(started == 1);
    return 0;
}
