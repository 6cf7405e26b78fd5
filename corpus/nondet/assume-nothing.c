// An assumption that never holds cuts every execution, and with it the error behind it.
// expect: default=safe
// final-states: 0

#include <assert.h>

#include "threadproof.h"

static int reached;

int main(void)
{
    tp_assume(reached != 0);
    reached = 1;
    assert(0);
    return 0;
}
