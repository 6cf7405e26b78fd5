// A thread gives the address of its thread-local variable to another.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int own;
int *shared;
atomic_int ready;

static void *owner(void *arg) {
    shared = &own;
    ready = 1;
    own = 1; //~ race
    for (;;) {}
}

static void *other(void *arg) {
    if (ready) *shared = 2; //~ race
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, owner, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_join(u, NULL);
    return 0;
}
