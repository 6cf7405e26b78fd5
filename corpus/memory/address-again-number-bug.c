// A number that was made from an address may be that of a later object.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned hash(void *object) { return (unsigned)((uintptr_t)object >> 4) * 2654435761u; }

int main(void) {
    void *first = malloc(16);
    unsigned known = hash(first);
    free(first);
    void *second = malloc(16);
    assert(hash(second) != known); //~ assert
    free(second);
    return 0;
}
