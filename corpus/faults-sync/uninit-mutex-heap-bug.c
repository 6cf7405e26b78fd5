// A mutex in a freshly allocated object is used without being initialised.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe
// expect: arithmetic=safe overflow=safe
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *worker(void *arg) {
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock); //~ lock-misuse
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int main(void) {
    struct counter *c = malloc(sizeof *c);
    c->value = 0; // pthread_mutex_init is missing
    pthread_t t;
    pthread_create(&t, NULL, worker, c);
    pthread_join(t, NULL);
    free(c);
    return 0;
}
