// What stands in memory is any number, and none of the cases of a switch.
// expect: assert=unsafe
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
    assert(found != 0); //~ assert
    return 0;
}
