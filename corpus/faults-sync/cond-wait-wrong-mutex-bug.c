// A wait on a condition variable with another mutex than the one that is held.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&held);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&held);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&held);
    while (!ready)
        pthread_cond_wait(&changed, &other); //~ lock-misuse
    pthread_mutex_unlock(&held);
    pthread_join(t, NULL);
    return 0;
}
