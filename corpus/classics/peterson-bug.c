// Peterson's algorithm with the turn given away before the flag is raised: both get in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
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
    turn = other;
    flag[me] = true;
    while (flag[other] && turn == other)
        ;
}

static void unlock(int me) {
    flag[me] = false;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    counter++; //~ race
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}
