// A long has 64 bits in the usual data model: the sum that overflows under ilp32 fits.
// expect: default=safe overflow=safe
// data-model: lp64
// final-states: 1

#include <assert.h>

static long population[2] = {1400000000, 1380000000};

static long total(void)
{
    return population[0] + population[1];
}

int main(void)
{
    assert(total() == 2780000000L);
    return 0;
}
