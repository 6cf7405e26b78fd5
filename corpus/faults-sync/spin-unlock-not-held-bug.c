// A spin lock is released by a thread that never took it.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_spinlock_t lock;

static void *worker(void *arg) {
    (void)arg;
    pthread_spin_unlock(&lock); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
