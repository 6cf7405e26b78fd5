// A nondeterministic bool is zero or one and nothing else, each call anew.
// expect: default=safe overflow=safe
// final-states: 3

#include <assert.h>
#include <stdbool.h>

#include "threadproof.h"

static int sum;

int main(void)
{
    bool first = tp_nondet_bool();
    bool second = tp_nondet_bool();
    sum = first + second;
    assert(sum >= 0 && sum <= 2);
    return 0;
}
