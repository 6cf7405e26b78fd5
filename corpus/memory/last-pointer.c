// Two readers look at a pointer while a third thread takes it away: whose pointer is the last one to
// the object depends on the order.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;
static atomic_int seen;
static pthread_t t[3];

static void *reader(void *arg) {
    int *p = atomic_load(&published);
    if (p != NULL)
        atomic_fetch_add(&seen, 1);
    return arg;
}

static void *eraser(void *arg) {
    atomic_store(&published, NULL);
    return arg;
}

int main(void) {
    atomic_store(&published, malloc(sizeof(int)));
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, eraser, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&seen) <= 2);
    return 0;
}
