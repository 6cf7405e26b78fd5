// main joins a thread that joins a thread that joins main.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_t main_thread, last_thread;

static void *last(void *arg) {
    (void)arg;
    pthread_join(main_thread, NULL); //~ deadlock
    return NULL;
}

static void *middle(void *arg) {
    (void)arg;
    pthread_join(last_thread, NULL); //~ deadlock
    return NULL;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&last_thread, NULL, last, NULL);
    pthread_create(&t, NULL, middle, NULL);
    pthread_join(t, NULL); //~ deadlock
    return 0;
}
