// The nondeterministic functions of the unsigned types, each bounded to two values.
// expect: default=safe overflow=safe
// final-states: 7

#include <assert.h>

#include "threadproof.h"

static unsigned long long sum; // six values of 1 or 2: from 6 to 12

int main(void)
{
    unsigned char c = tp_nondet_uchar();
    tp_assume(c >= 1 && c <= 2);
    sum += c;
    unsigned short s = tp_nondet_ushort();
    tp_assume(s >= 1 && s <= 2);
    sum += s;
    unsigned i = tp_nondet_uint();
    tp_assume(i >= 1 && i <= 2);
    sum += i;
    unsigned long l = tp_nondet_ulong();
    tp_assume(l >= 1 && l <= 2);
    sum += l;
    unsigned long long ll = tp_nondet_ulonglong();
    tp_assume(ll >= 1 && ll <= 2);
    sum += ll;
    size_t z = tp_nondet_size_t();
    tp_assume(z >= 1 && z <= 2);
    sum += z;
    assert(sum >= 6 && sum <= 12);
    return 0;
}
