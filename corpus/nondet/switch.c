// A switch over a nondeterministic int visits every case and the default.
// expect: default=safe
// final-states: 4

#include "threadproof.h"

static int command;

int main(void)
{
    switch (tp_nondet_int()) {
    case 1:
        command = 10;
        break;
    case -7:
        command = 20;
        break;
    case 100000:
        command = 30;
        break;
    default:
        command = 40;
    }
    return 0;
}
