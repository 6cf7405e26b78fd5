// The difference of two addresses may have either sign.
// expect: assert=unsafe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *first = malloc(sizeof *first);
    int *second = malloc(sizeof *second);
    intptr_t distance = (intptr_t)second - (intptr_t)first;
    assert(distance > 0); //~ assert
    free(first);
    free(second);
    return 0;
}
