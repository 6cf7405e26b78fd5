// Two readers hold a reader-writer lock at the same time: they meet at a barrier inside.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both_inside;

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both_inside);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&both_inside, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
