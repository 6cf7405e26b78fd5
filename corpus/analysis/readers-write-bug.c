// Two threads write as readers of a lock.
// expect: race=unsafe
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_rwlock_rdlock(&lock);
    x++; //~ race
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return x;
}
