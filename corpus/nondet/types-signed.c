// The nondeterministic functions of the signed types, each bounded to two values.
// expect: default=safe overflow=safe
// final-states: 7

#include <assert.h>

#include "threadproof.h"

static long long sum; // six values of -1 or -2: from -12 to -6

int main(void)
{
    char c = tp_nondet_char();
    tp_assume(c >= -2 && c <= -1);
    sum += c;
    signed char sc = tp_nondet_schar();
    tp_assume(sc >= -2 && sc <= -1);
    sum += sc;
    short s = tp_nondet_short();
    tp_assume(s >= -2 && s <= -1);
    sum += s;
    int i = tp_nondet_int();
    tp_assume(i >= -2 && i <= -1);
    sum += i;
    long l = tp_nondet_long();
    tp_assume(l >= -2 && l <= -1);
    sum += l;
    long long ll = tp_nondet_longlong();
    tp_assume(ll >= -2 && ll <= -1);
    sum += ll;
    assert(sum >= -12 && sum <= -6);
    return 0;
}
