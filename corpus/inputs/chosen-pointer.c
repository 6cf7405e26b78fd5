// The variable that was not chosen keeps its value.
// expect: assert=safe memory=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int first = 0, second = 0;
    int x = tp_nondet_int();
    int *chosen = x > 10 ? &first : &second;
    *chosen = x;
    assert(first + second == x && (first == 0 || second == 0));
    return 0;
}
