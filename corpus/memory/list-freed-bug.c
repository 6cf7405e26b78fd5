// A thread keeps a pointer to an element of a long list that another thread takes out and frees.
// expect: memory=unsafe
// flags: -DPADDING=300
#include <pthread.h>
#include <stdlib.h>

struct element {
    struct element *next;
    int value;
};

struct element *first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *taker(void *arg) {
    pthread_mutex_lock(&lock);
    struct element *element = first;
    first = element->next;
    pthread_mutex_unlock(&lock);
    free(element);
    return 0;
}

void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    struct element *element = first;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int value = element->value; //~ memory
    pthread_mutex_unlock(&lock);
    return value ? arg : 0;
}

int main(void) {
    for (int i = 0; i < PADDING; i++) {
        struct element *element = malloc(sizeof *element);
        element->value = i;
        element->next = first;
        first = element;
    }
    pthread_t threads[2];
    pthread_create(&threads[0], 0, taker, 0);
    pthread_create(&threads[1], 0, reader, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
