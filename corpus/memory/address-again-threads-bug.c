// One thread frees what it alone had and keeps the pointer; what the other allocates meanwhile may be there.
// expect: assert=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) fresh;

static void *make(void *arg) {
    (void)arg;
    atomic_store(&fresh, malloc(1));
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, make, NULL);
    char *own = malloc(1);
    free(own);
    pthread_join(t, NULL);
    assert(own != atomic_load(&fresh)); //~ assert
    free(fresh);
    return 0;
}
