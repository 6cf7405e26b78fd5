// A stale pointer turns out to point to a new object, whose lock is not the one that is held.
// expect: race=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
    int data;
    pthread_mutex_t lock;
};
_Atomic(struct item *) shared;

static void *run(void *arg) {
    struct item *item = shared;
    if (!item) return NULL;
    pthread_mutex_lock(&item->lock);
    item->data = 1; //~ race
    pthread_mutex_unlock(&item->lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct item *old = malloc(sizeof *old);
    pthread_mutex_init(&old->lock, NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&old->lock);
    free(old);
    struct item *item = malloc(sizeof *item);
    pthread_mutex_init(&item->lock, NULL);
    if (item == old) {
        shared = item;
        old->data = 2; //~ race
    }
    pthread_join(t, NULL);
    return 0;
}
