// A mutex whose bytes are used as another kind of lock in between forgets what it published.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_rwlock_rdlock((pthread_rwlock_t *)&m);
    pthread_rwlock_unlock((pthread_rwlock_t *)&m);
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
