// The stack without locks whose nodes are freed only when no thread can hold
// them any more: what is popped is put on a list, and the list is freed after
// all threads have ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next, *retired;
    int value;
};

static struct node *_Atomic top, *_Atomic retired;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static void retire(struct node *node) {
    node->retired = atomic_load(&retired);
    while (!atomic_compare_exchange_strong(&retired, &node->retired, node))
        ;
}

static int pop(void) {
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    if (!node)
        return 0;
    int value = node->value;
    retire(node);
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
    for (struct node *node = atomic_load(&retired), *next; node; node = next) {
        next = node->retired;
        free(node);
    }
    return 0;
}
