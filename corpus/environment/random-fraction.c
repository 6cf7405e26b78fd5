// drand48 gives a number from 0 on and below 1.
// expect: default=safe
// inputs: too many

#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    double fraction = drand48(), one = 1;
    uint64_t bits, of_one;
    memcpy(&bits, &fraction, sizeof bits);
    memcpy(&of_one, &one, sizeof of_one);
    assert(bits < of_one);
    return 0;
}
