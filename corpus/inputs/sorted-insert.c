// Inserting an input into a sorted array of inputs keeps it sorted.
// expect: assert=safe memory=safe
// inputs: too many

#include <assert.h>

#include "threadproof.h"

int main(void)
{
    int values[4];
    for (int i = 0; i < 3; i++) {
        values[i] = tp_nondet_int();
        tp_assume(i == 0 || values[i - 1] <= values[i]);
    }
    int value = tp_nondet_int(), place = 3;
    while (place > 0 && values[place - 1] > value) {
        values[place] = values[place - 1];
        place--;
    }
    values[place] = value;
    for (int i = 1; i < 4; i++)
        assert(values[i - 1] <= values[i]);
    return 0;
}
