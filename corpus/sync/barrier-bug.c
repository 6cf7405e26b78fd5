// Only one of two exchanges is separated by a barrier: the second write overtakes a reader.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t all_written;
static int cell[2];

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    cell[me] = 1;
    pthread_barrier_wait(&all_written);
    int other = cell[1 - me]; //~ race
    assert(other == 1);       //~ assert
    cell[me] = 2;             //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&all_written, NULL, 2);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
