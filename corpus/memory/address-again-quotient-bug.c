// What a number of an address is divided into may be the same for the next object.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    void *first = malloc(16);
    long before = (long)first / 16;
    free(first);
    void *second = malloc(16);
    long after = (long)second / 16;
    free(second);
    assert(before != after); //~ assert
    return 0;
}
