// An MCS lock that swaps the tail with a load and a store: two threads see an empty queue.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
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
static int inside;

static void lock(struct node *me) {
    me->waiting = true;
    struct node *prev = tail;
    tail = me; // must be one exchange
    if (prev) {
        prev->next = me;
        while (me->waiting)
            ;
    }
}

static void unlock(struct node *me) {
    struct node *expected = me;
    if (!me->next && !atomic_compare_exchange_strong(&tail, &expected, NULL))
        while (!me->next)
            ;
    if (me->next)
        me->next->waiting = false;
}

static void *worker(void *arg) {
    struct node *me = &nodes[(intptr_t)arg];
    lock(me);
    int seen = ++inside; //~ race
    assert(seen == 1);   //~ assert
    inside--;            //~ race
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
