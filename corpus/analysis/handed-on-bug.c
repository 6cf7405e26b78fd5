// Each thread is given an object of its own, and finds that of another in a global.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) last;

static void *run(void *arg) {
    int *own = arg;
    *own = 1; //~ race
    int *other = atomic_exchange(&last, own);
    if (other) *other = 2;
    *own = 3; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        int *own = malloc(sizeof *own);
        pthread_t t;
        pthread_create(&t, NULL, run, own);
    }
    pthread_exit(NULL);
}
