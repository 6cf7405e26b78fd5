// Szymanski's algorithm without the wait for lower ids: both leave the waiting room together.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { OUTSIDE, WANTS_IN, WAITS_FOR_OTHERS, IN_DOORWAY, INSIDE_ROOM };

static atomic_int flag[2];
static int inside;

static void lock(int me) {
    int other = 1 - me;
    flag[me] = WANTS_IN;
    while (flag[other] >= IN_DOORWAY)
        ;
    flag[me] = IN_DOORWAY;
    if (flag[other] == WANTS_IN) {
        flag[me] = WAITS_FOR_OTHERS;
        while (flag[other] == WANTS_IN)
            ;
    }
    flag[me] = INSIDE_ROOM;
}

static void unlock(int me) {
    flag[me] = OUTSIDE;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    int seen = ++inside; //~ race
    assert(seen == 1);   //~ assert
    inside--;            //~ race
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
