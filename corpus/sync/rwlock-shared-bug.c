// Two writers cannot hold a reader-writer lock at the same time: their meeting inside never happens.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both_inside;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);       //~ deadlock
    pthread_barrier_wait(&both_inside); //~ deadlock
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&both_inside, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    return 0;
}
