// A Treiber stack: two threads push with compare-and-swap, main pops and frees what they pushed.
// expect: default=safe leak=safe overflow=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static int pop(void) {
    struct node *n = atomic_load(&top);
    atomic_store(&top, n->next);
    int value = n->value;
    free(n);
    return value;
}

static void *pusher(void *arg) {
    push((int)(intptr_t)arg);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, pusher, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    int sum = pop();
    sum += pop();
    assert(sum == 3);
    assert(atomic_load(&top) == NULL);
    return 0;
}
