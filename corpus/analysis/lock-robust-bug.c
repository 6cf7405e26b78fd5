// A robust mutex that was given back without being repaired is refused for ever after, so that
// threads that do not look at the result are not ordered any more.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m;
int x;

static void *dies(void *arg) {
    pthread_mutex_lock(&m);
    return NULL;
}

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_t first, a, b;
    pthread_create(&first, NULL, dies, NULL);
    pthread_join(first, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
