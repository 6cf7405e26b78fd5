// A lock that is initialised again between two critical sections does not order them.
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
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
