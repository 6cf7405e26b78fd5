// Every number of 8 bits but the smallest one has the rest 0 modulo -1; wider ones do not overflow at all.
// expect: arithmetic=safe overflow=safe default=safe
#include <assert.h>
#include <threadproof.h>

typedef signed _BitInt(8) small;

small tp_nondet_small(void);

int main(void) {
    small number = tp_nondet_small();
    int rest = (int)number % -1;
    assert(rest == 0);
    if (number != -128) assert(number % (small)-1 == 0);
    return 0;
}
