// A bit-field is set in a word whose other bits are not: only the initialised field is read.
// expect: default=safe

#include <assert.h>

struct flags {
    unsigned ready : 3;
    unsigned count : 5;
};

int main(void)
{
    struct flags flags;
    flags.ready = 5;
    assert(flags.ready == 5);
    flags.count = 17;
    assert(flags.count == 17 && flags.ready == 5);
    return 0;
}
