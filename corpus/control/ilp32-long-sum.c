// A long long has 64 bits in either data model.
// expect: default=safe overflow=safe
// data-model: ilp32
// final-states: 1

#include <assert.h>

static long population[2] = {1400000000, 1380000000};

static long long total(void)
{
    return (long long)population[0] + population[1];
}

int main(void)
{
    assert(total() == 2780000000LL);
    assert((unsigned long)total() == 2780000000u);
    return 0;
}
