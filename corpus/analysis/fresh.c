// A new object is filled, by a function too, before others can find it under a lock.
// expect: race=safe
// analysis: proves
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct item {
    int value;
    struct item *next;
} *list;

static void fill(struct item *item) { item->value = 1; }

static void *run(void *arg) {
    struct item *item = malloc(sizeof *item);
    fill(item);
    pthread_mutex_lock(&m);
    item->next = list;
    list = item;
    for (struct item *i = list; i; i = i->next) i->value++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_exit(NULL);
}
