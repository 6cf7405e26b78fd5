/* Dekker's algorithm. With -DBAD a thread does not wait for its turn to come. */
#include "exclusion.h"

static _Atomic int wants[2], turn;

static void enter(int me) {
    int other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn == other) {
            wants[me] = 0;
#ifdef BAD
            break;
#endif
            while (turn == other)
                ;
            wants[me] = 1;
        }
    }
}

static void leave(int me) {
    turn = 1 - me;
    wants[me] = 0;
}
