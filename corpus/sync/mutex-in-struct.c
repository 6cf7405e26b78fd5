// Objects on the heap that carry their own mutex: different objects do not block each other.
// expect: default=safe leak=safe overflow=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void *deposit(void *arg) {
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 5;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int main(void) {
    struct account *a = malloc(sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    a->balance = 10;

    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, deposit, a);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a->balance == 20);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return 0;
}
