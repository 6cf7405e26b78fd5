/* Szymanski's algorithm for two threads. With -DBAD the second thread does not wait for
   the first to leave. */
#include "exclusion.h"

/* 0: away, 1: wants to enter, 2: waits for others to come in, 3: in the doorway,
   4: the door is closed. */
static _Atomic int stage[2];

static void enter(int me) {
    int other = 1 - me;
    stage[me] = 1;
    while (stage[other] >= 3)
        ;
    stage[me] = 3;
    if (stage[other] == 1) {
        stage[me] = 2;
        while (stage[other] != 4)
            ;
    }
    stage[me] = 4;
#ifndef BAD
    if (me == 1)
        while (stage[other] >= 2)
            ;
#endif
}

static void leave(int me) {
    if (me == 0) {
        int other;
        do
            other = stage[1];
        while (other == 2 || other == 3);
    }
    stage[me] = 0;
}
