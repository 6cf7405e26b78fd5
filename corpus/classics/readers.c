// One writer and three readers: each reader sees the old or the new value, independently.
// expect: default=safe overflow=safe leak=safe
// final-states: 8
// (2 to the power of the number of readers)
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { READERS = 3 };

static atomic_int x;
static int seen[READERS];

static void *writer(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

static void *reader(void *arg) {
    seen[(intptr_t)arg] = x;
    return NULL;
}

int main(void) {
    pthread_t w, r[READERS];
    pthread_create(&w, NULL, writer, NULL);
    for (intptr_t i = 0; i < READERS; i++)
        pthread_create(&r[i], NULL, reader, (void *)i);
    for (int i = 0; i < READERS; i++)
        pthread_join(r[i], NULL);
    pthread_join(w, NULL);
    return 0;
}
