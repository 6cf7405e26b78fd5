// The clean-up code joins a thread that was joined before.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static void *worker(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); //~ lock-misuse
    return 0;
}
