// Readers hold the lock together, the writer alone.
// expect: race=safe
// analysis: proves
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int seen = x;
    pthread_rwlock_unlock(&lock);
    return (void *)(long)seen;
}

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&u, NULL, reader, NULL);
    pthread_create(&v, NULL, writer, NULL);
    pthread_exit(NULL);
}
