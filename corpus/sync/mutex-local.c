// A mutex and the counter it protects live on the stack of main.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

struct shared {
    pthread_mutex_t lock;
    int counter;
};

static void *worker(void *arg) {
    struct shared *s = arg;
    pthread_mutex_lock(&s->lock);
    s->counter++;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int main(void) {
    struct shared s = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &s);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(s.counter == 2);
    return 0;
}
