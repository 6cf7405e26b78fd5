// Of all numbers of 8 bits, the smallest one modulo -1 overflows; the others give 0.
// expect: arithmetic=unsafe overflow=unsafe assert=safe
#include <assert.h>
#include <threadproof.h>

typedef signed _BitInt(8) small;

small tp_nondet_small(void);

int main(void) {
    small number = tp_nondet_small();
    small rest = number % (small)-1; //~ arithmetic overflow
    assert(rest == 0);
    return 0;
}
