// Rings of two elements are published and dropped for ever: nothing leads to them, but they lead to each other.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct element {
    struct element *next;
    int value;
};

struct element *ring;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set(struct element *element) {
    pthread_mutex_lock(&lock);
    ring = element;
    pthread_mutex_unlock(&lock);
}

void *worker(void *arg) {
    for (;;) {
        struct element *one = malloc(sizeof *one), *two = malloc(sizeof *two);
        one->next = two;
        two->next = one;
        one->value = two->value = 1;
        set(one);
        set(0);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        if (ring)
            assert(ring->next->value == 1);
        pthread_mutex_unlock(&lock);
    }
}
