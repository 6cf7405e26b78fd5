// The widest range that --nondet-range can name has one value more than 64 bits count.
// options: --nondet-range=-9223372036854775808..9223372036854775807
// inputs: too many
// expect: assert=unsafe
#include <assert.h>
#include <limits.h>
#include <threadproof.h>

int main(void) {
    long number = tp_nondet_long();
    long neighbour = number ^ 1;
    assert(neighbour != LONG_MAX - 1); //~ assert
    return 0;
}
