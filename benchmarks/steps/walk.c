// A list of NODES elements, and three threads that each look at the first 8 * ROUNDS of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct node *head;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    head = node;
}

void *worker(void *arg) {
    struct node *node = head;
    for (int i = 0; i < 8 * ROUNDS; i++) {
        assert(node->value >= 0);
        node = node->next;
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < NODES; i++)
        push(i);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
