// The CLH queue lock: each thread spins on the node of the one before it in the queue.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (all nodes are unlocked again; tail points to the node of the thread that came second)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct node {
    atomic_bool locked;
};

static struct node nodes[3]; // the last one is the dummy that the queue begins with
static _Atomic(struct node *) tail = &nodes[2];
static int counter;

static void lock(struct node *me) {
    atomic_store_explicit(&me->locked, true, memory_order_relaxed);
    struct node *prev = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (atomic_load_explicit(&prev->locked, memory_order_acquire))
        ;
}

static void unlock(struct node *me) {
    atomic_store_explicit(&me->locked, false, memory_order_release);
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
