// An address with its bytes reversed may be the same for the next object.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *first = malloc(16);
    unsigned long before = __builtin_bswap64((unsigned long)first);
    free(first);
    void *second = malloc(16);
    unsigned long after = __builtin_bswap64((unsigned long)second);
    free(second);
    assert(before != after); //~ assert
    return 0;
}
