// The remainder of a number of an address may be the same for the next object.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *first = malloc(16);
    long before = (long)first % 65536;
    free(first);
    void *second = malloc(16);
    long after = (long)second % 65536;
    free(second);
    assert(before != after); //~ assert
    return 0;
}
