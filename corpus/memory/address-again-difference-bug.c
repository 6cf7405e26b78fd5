// The difference of a stale pointer and a new one may be nothing, and neither may come before the other.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *first = malloc(8);
    free(first);
    char *second = malloc(8);
    assert(second - first != 0); //~ assert
    assert(second < first || first < second); //~ assert
    free(second);
    return 0;
}
