// A Treiber stack whose push stores the new top without compare-and-swap loses a node.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe
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
    atomic_store(&top, n); // another push may have come in between
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
    int sum = 0;
    for (struct node *n = atomic_load(&top); n; n = n->next)
        sum += n->value;
    assert(sum == 3); //~ assert
    return 0;
}
