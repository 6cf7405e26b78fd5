// Double-checked locking with an acquire load and a release store is sound.
// expect: default=safe leak=safe overflow=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int port;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct config *) instance;

static struct config *get_config(void) {
    struct config *c = atomic_load_explicit(&instance, memory_order_acquire);
    if (!c) {
        pthread_mutex_lock(&lock);
        c = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!c) {
            c = malloc(sizeof *c);
            c->port = 8080;
            atomic_store_explicit(&instance, c, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return c;
}

static void *user(void *arg) {
    (void)arg;
    assert(get_config()->port == 8080);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
