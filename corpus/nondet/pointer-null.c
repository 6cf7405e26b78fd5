// A nondeterministic pointer that is only compared with null: both answers.
// expect: default=safe
// final-states: 2

#include <stddef.h>

#include "threadproof.h"

static int present;

int main(void)
{
    void *pointer = tp_nondet_pointer();
    if (pointer != NULL)
        present = 1;
    return 0;
}
