/* Peterson's algorithm. With -DBAD a thread gives the turn away before it says that it
   wants to enter. */
#include "exclusion.h"

static _Atomic int wants[2], turn;

static void enter(int me) {
    int other = 1 - me;
#ifdef BAD
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    while (wants[other] && turn == other)
        ;
}

static void leave(int me) {
    wants[me] = 0;
}
