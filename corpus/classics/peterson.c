// Peterson's algorithm with sequentially consistent atomics protects a plain counter.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (flag = {0,0} and counter = 2 always; turn holds what the later of the two stores wrote)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool flag[2];
static atomic_int turn;
static int counter;

static void lock(int me) {
    int other = 1 - me;
    flag[me] = true;
    turn = other;
    while (flag[other] && turn == other)
        ;
}

static void unlock(int me) {
    flag[me] = false;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
