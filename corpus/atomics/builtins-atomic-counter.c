// __atomic_fetch_add by two threads loses nothing, and the plain read after the joins is no race.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
