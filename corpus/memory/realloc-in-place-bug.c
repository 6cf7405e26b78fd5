// A larger object may have stayed where it was, so the same address does not mean that nothing has moved in.
// expect: assert=unsafe memory=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *small = malloc(8);
    char *large = realloc(small, 100);
    assert(large != small); //~ assert
    free(large);
    return 0;
}
