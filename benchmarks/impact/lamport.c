/* Lamport's fast mutual exclusion. With -DBAD a thread that was overtaken does not look
   whether it came first after all. */
#include "exclusion.h"

static _Atomic int wants[2], x, y;

static void enter(int me) {
    int other = 1 - me;
    for (;;) {
        wants[me] = 1;
        x = me + 1;
        if (y != 0) {
            wants[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me + 1;
        if (x == me + 1)
            return;
        wants[me] = 0;
        while (wants[other])
            ;
#ifdef BAD
        return;
#endif
        if (y == me + 1)
            return;
        while (y != 0)
            ;
    }
}

static void leave(int me) {
    y = 0;
    wants[me] = 0;
}
