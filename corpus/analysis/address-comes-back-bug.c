// A stale pointer turns out to point to a new object that nobody was given.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *stale;
atomic_int same;

static void *run(void *arg) {
    if (same) *stale = 1; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    int *old = malloc(sizeof *old);
    stale = old;
    pthread_create(&t, NULL, run, NULL);
    free(old);
    int *item = malloc(sizeof *item);
    if (item == old) {
        same = 1;
        *item = 2; //~ race
    }
    pthread_join(t, NULL);
    return 0;
}
