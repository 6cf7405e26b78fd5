// A counter that is never initialised can have any value, also the one that the assertion forbids.
// expect: assert=unsafe
// assume: nothing
// inputs: too many

#include <assert.h>
#include <stdlib.h>

struct meter {
    int ticks;
    int limit;
};

int main(void)
{
    struct meter *meter = malloc(sizeof *meter);
    meter->limit = 100;
    if (meter->ticks > meter->limit)
        meter->ticks = meter->limit;
    assert(meter->ticks != 42); //~ assert
    free(meter);
    return 0;
}
