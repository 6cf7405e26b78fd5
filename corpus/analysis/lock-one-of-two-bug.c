// Each thread holds a lock of the same array, but not the same one.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x;

static void *run(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&m[i]);
    x++; //~ race
    pthread_mutex_unlock(&m[i]);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, (void *)0);
    pthread_create(&u, NULL, run, (void *)1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
