// A node that is removed and freed while another thread still holds it may come back as a new node at the same address.
// expect: assert=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;

/* Puts a new value into the slot, at a new address, as it believes. */
static void *replace(void *arg) {
    (void)arg;
    int *old = atomic_exchange(&slot, NULL);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    *fresh = 2;
    atomic_store(&slot, fresh);
    return NULL;
}

int main(void) {
    int *first = malloc(sizeof *first);
    *first = 1;
    atomic_store(&slot, first);
    pthread_t t;
    pthread_create(&t, NULL, replace, NULL);
    int *seen = first;
    /* Nothing has changed if the pointer is the same. */
    int taken = atomic_compare_exchange_strong(&slot, &seen, NULL);
    pthread_join(t, NULL);
    if (taken) assert(atomic_load(&slot) == NULL || *atomic_load(&slot) == 2);
    if (taken && atomic_load(&slot) == NULL) assert(*first == 1); //~ assert
    return 0;
}
