// Two threads push onto one list with atomic loads and stores: both may link to the same old head.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) list;

static void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = (int)(intptr_t)arg;
    node->next = atomic_load(&list);
    atomic_store(&list, node);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, (void *)1);
    pthread_create(&b, NULL, push, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    for (struct node *node = list; node != NULL;) {
        struct node *next = node->next;
        sum += node->value;
        free(node);
        node = next;
    }
    atomic_store(&list, NULL);
    assert(sum == 3); //~ assert
    return 0;
}
