// Every item of a list has a lock of its own, which is made before the item is published.
// expect: race=safe
// analysis: proves
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    pthread_mutex_t lock;
    int data;
};
struct item *first;

static void *run(void *arg) {
    for (struct item *item = first; item; item = item->next) {
        pthread_mutex_lock(&item->lock);
        item->data++;
        pthread_mutex_unlock(&item->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 2; i++) {
        struct item *item = malloc(sizeof *item);
        item->next = first;
        item->data = 0;
        pthread_mutex_init(&item->lock, NULL);
        first = item;
    }
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
