// A pointer is swapped and the old object freed at once, under the eyes of a reader.
// expect: memory=unsafe race=unsafe assert=safe deadlock=safe lock-misuse=safe leak=safe
// expect: arithmetic=safe overflow=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int low;
};

static _Atomic(struct config *) current;

static struct config *make(int value) {
    struct config *c = malloc(sizeof *c);
    c->low = value;
    return c;
}

static void *reader(void *arg) {
    (void)arg;
    struct config *c = current;
    int low = c->low; //~ memory
    assert(low > 0);
    return NULL;
}

static void *updater(void *arg) {
    (void)arg;
    struct config *old = atomic_exchange(&current, make(2));
    free(old); //~ race
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
