// What is allocated before an object is freed does not have its address, whichever thread does it.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *old;
static _Atomic(int *) fresh;

static void *make(void *arg) {
    (void)arg;
    int *made = malloc(sizeof *made);
    atomic_store(&fresh, made);
    return NULL;
}

int main(void) {
    old = malloc(sizeof *old);
    pthread_t t;
    pthread_create(&t, NULL, make, NULL);
    if (atomic_load(&fresh)) {
        free(old);
        assert(atomic_load(&fresh) != old);
        old = NULL;
    }
    pthread_join(t, NULL);
    free(fresh);
    free(old);
    return 0;
}
