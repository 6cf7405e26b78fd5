// A stack without locks. `pop` reads the top node and its successor, then puts
// the successor in place if the top is still the same. In between, another thread
// may have taken the node off and freed it: reading its successor is then a use
// after free. (And if a new node gets the same address, the exchange succeeds
// though the stack has changed: the ABA problem.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static int pop(void) {
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    if (!node)
        return 0;
    int value = node->value;
    free(node);
    return value;
}

static void *consume(void *result) {
    *(int *)result = pop();
    return 0;
}

int main(void) {
    pthread_t a, b;
    int first, second;
    push(1);
    push(2);
    pthread_create(&a, 0, consume, &first);
    pthread_create(&b, 0, consume, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first + second == 3);
    return 0;
}
