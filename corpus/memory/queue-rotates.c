// A queue that two threads put elements into and take elements from, for ever.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct element {
    struct element *next;
    int value;
};

struct element *first, *last;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int value) {
    struct element *element = malloc(sizeof *element);
    element->value = value;
    element->next = 0;
    pthread_mutex_lock(&lock);
    if (last)
        last->next = element;
    else
        first = element;
    last = element;
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    struct element *element = first;
    first = element->next;
    if (!first)
        last = 0;
    pthread_mutex_unlock(&lock);
    int value = element->value;
    free(element);
    return value;
}

void *worker(void *arg) {
    for (;;) {
        put(7);
        assert(take() == 7);
    }
    return 0;
}

int main(void) {
    put(7);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
