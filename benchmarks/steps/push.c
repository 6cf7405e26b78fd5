// A list of NODES elements, and three threads that push an element and pop one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
}

static void pop(void) {
    pthread_mutex_lock(&lock);
    struct node *node = head;
    head = node->next;
    pthread_mutex_unlock(&lock);
    assert(node->value >= 0);
    free(node);
}

void *worker(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        push(i);
        pop();
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
