// The MCS queue lock: each thread spins on its own node; acquire and release orderings only.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (no contention leaves both links empty; otherwise the first thread's node links to the second's,
// and the second's `waiting` was cleared)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct node {
    _Atomic(struct node *) next;
    atomic_bool waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[2];
static int counter;

static void lock(struct node *me) {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waiting, true, memory_order_relaxed);
    struct node *prev = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (prev) {
        atomic_store_explicit(&prev->next, me, memory_order_release);
        while (atomic_load_explicit(&me->waiting, memory_order_acquire))
            ;
    }
}

static void unlock(struct node *me) {
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!next) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ; // someone is queueing up at this moment
    }
    atomic_store_explicit(&next->waiting, false, memory_order_release);
}

static void *worker(void *arg) {
    struct node *me = &nodes[(intptr_t)arg];
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
