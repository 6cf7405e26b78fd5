// A CLH lock that marks its node as locked only after it joined the queue.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct node {
    atomic_bool locked;
};

static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[2];
static int counter;

static void lock(struct node *me) {
    struct node *prev = atomic_exchange(&tail, me);
    me->locked = true; // too late: the successor may have looked already
    while (prev->locked)
        ;
}

static void unlock(struct node *me) {
    me->locked = false;
}

static void *worker(void *arg) {
    struct node *me = &nodes[(intptr_t)arg];
    lock(me);
    counter++; //~ race
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}
