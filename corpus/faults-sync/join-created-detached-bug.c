// A thread created in the detached state is joined.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static void *worker(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, NULL);
    pthread_attr_destroy(&attr);
    pthread_join(t, NULL); //~ lock-misuse
    return 0;
}
