// A mutex in a freshly allocated object is initialised before the threads see it.
// expect: default=safe leak=safe overflow=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *worker(void *arg) {
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int main(void) {
    struct counter *c = malloc(sizeof *c);
    c->value = 0;
    pthread_mutex_init(&c->lock, NULL);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, c);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(c->value == 2);
    pthread_mutex_destroy(&c->lock);
    free(c);
    return 0;
}
