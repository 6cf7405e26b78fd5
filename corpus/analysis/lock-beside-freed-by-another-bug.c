// Another thread frees an object whose lock is held, and a new one gets its address.
// expect: race=unsafe
#include <pthread.h>
#include <stdlib.h>

struct item {
    int data;
    pthread_mutex_t lock;
};

static void *discard(void *arg) {
    free(arg);
    return NULL;
}

static void *run(void *arg) {
    struct item *item = arg;
    pthread_mutex_lock(&item->lock);
    item->data = 1; //~ race
    pthread_mutex_unlock(&item->lock);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    struct item *old = malloc(sizeof *old);
    pthread_mutex_init(&old->lock, NULL);
    pthread_mutex_lock(&old->lock);
    pthread_create(&t, NULL, discard, old);
    pthread_join(t, NULL);
    struct item *item = malloc(sizeof *item);
    pthread_mutex_init(&item->lock, NULL);
    if (item == old) {
        pthread_create(&u, NULL, run, item);
        old->data = 2; //~ race
        pthread_join(u, NULL);
    }
    return 0;
}
