// Two threads that only read may take two reader-writer locks in any order.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;

static void *read_a_read_b(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return NULL;
}

static void *read_b_read_a(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, read_a_read_b, NULL);
    pthread_create(&u, NULL, read_b_read_a, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
