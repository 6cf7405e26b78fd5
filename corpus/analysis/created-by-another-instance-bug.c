// An access comes before the thread creates another one, but not before another instance of the
// thread does.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *inner(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *middle(void *arg) {
    int seen = x; //~ race
    pthread_t t;
    pthread_create(&t, NULL, inner, NULL);
    pthread_join(t, NULL);
    return seen ? arg : NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, middle, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
