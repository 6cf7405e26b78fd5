// A linked queue that appends with plain stores to atomic links: one of two elements is lost.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[3]; // nodes[0] is the dummy
static _Atomic(struct node *) tail = &nodes[0];

static void enqueue(struct node *n, int value) {
    n->value = value;
    struct node *last = tail;
    last->next = n; // overwrites the link of a concurrent enqueue
    tail = n;
}

static void *enqueuer(void *arg) {
    intptr_t i = (intptr_t)arg;
    enqueue(&nodes[i], (int)i);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, enqueuer, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    int sum = 0;
    for (struct node *n = nodes[0].next; n; n = n->next)
        sum += n->value;
    assert(sum == 3); //~ assert
    return 0;
}
