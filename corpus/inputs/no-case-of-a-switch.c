// A switch on any number in memory has a case for it, or none.
// expect: assert=safe
// inputs: too many
#include <assert.h>

int __VERIFIER_nondet_int(void);

static int number;

int main(void) {
    int found = 0;
    number = __VERIFIER_nondet_int();
    switch (number) {
    case 0:
        found = 1;
        break;
    case 7:
        found = 2;
        break;
    case 9:
        found = 3;
        break;
    default:
        break;
    }
    assert(found != 0 || (number != 0 && number != 7 && number != 9));
    return 0;
}
