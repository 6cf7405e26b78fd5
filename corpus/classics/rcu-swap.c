// A pointer is swapped and the old object freed after the last reader has left it.
// expect: default=safe leak=safe overflow=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int low, high;
};

static _Atomic(struct config *) current;
static atomic_int readers;

static struct config *make(int value) {
    struct config *c = malloc(sizeof *c);
    c->low = value;
    c->high = value;
    return c;
}

static void *reader(void *arg) {
    (void)arg;
    readers++;
    struct config *c = current;
    assert(c->low == c->high);
    readers--;
    return NULL;
}

static void *updater(void *arg) {
    (void)arg;
    struct config *old = atomic_exchange(&current, make(2));
    while (readers > 0)
        ; // the grace period
    free(old);
    return NULL;
}

int main(void) {
    pthread_t r, u;
    current = make(1);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&u, NULL, updater, NULL);
    pthread_join(r, NULL);
    pthread_join(u, NULL);
    return 0;
}
