// A barrier between writing and reading: each thread reads what the other wrote.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t all_written;
static int cell[2];

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    cell[me] = me + 1;
    pthread_barrier_wait(&all_written);
    assert(cell[1 - me] == 2 - me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&all_written, NULL, 2);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&all_written);
    return 0;
}
