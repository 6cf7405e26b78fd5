// A loop that goes on as long as chance wants, over two states.
// expect: default=safe
// final-states: 2

#include "threadproof.h"

static int light;

int main(void)
{
    while (tp_nondet_bool())
        light = !light;
    return 0;
}
