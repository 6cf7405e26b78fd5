// One place that is used as two kinds of locks orders nothing.
// expect: race=unsafe
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_rwlock_wrlock(&lock);
    x++; //~ race
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock((pthread_mutex_t *)&lock);
    x++; //~ race
    pthread_mutex_unlock((pthread_mutex_t *)&lock);
    pthread_join(t, NULL);
    return 0;
}
