// A list of NODES elements, and three threads that do not touch it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *worker(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < NODES; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        node->value = i;
        head = node;
    }
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3 * ROUNDS);
}
