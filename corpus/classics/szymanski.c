// Szymanski's waiting-room algorithm excludes two threads.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
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
        while (flag[other] != INSIDE_ROOM)
            ;
    }
    flag[me] = INSIDE_ROOM;
    if (me == 1) // the lower id goes first
        while (flag[other] >= WAITS_FOR_OTHERS)
            ;
}

static void unlock(int me) {
    int other = 1 - me;
    if (me == 0) { // everyone in the doorway must have noticed that the door is closed
        int f;
        while ((f = flag[other]) == WAITS_FOR_OTHERS || f == IN_DOORWAY)
            ;
    }
    flag[me] = OUTSIDE;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    int seen = ++inside;
    assert(seen == 1);
    inside--;
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
