// A function that is given a new object publishes it before it is filled.
// expect: race=unsafe
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *shared;

static void publish(int *item) {
    pthread_mutex_lock(&m);
    shared = item;
    pthread_mutex_unlock(&m);
}

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (shared) *shared = 1; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int *item = malloc(sizeof *item);
    *item = 0;
    publish(item);
    *item = 2; //~ race
    pthread_join(t, NULL);
    return 0;
}
