// A wait on a condition variable without holding the mutex it is given.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *setter(void *arg) {
    (void)arg;
    ready = true;
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!ready)
        pthread_cond_wait(&changed, &lock); //~ lock-misuse
    pthread_join(t, NULL);
    return 0;
}
