// Numbers made from addresses of objects that live together differ; those of an object stay the same.
// expect: assert=safe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t number(void *object) { return (uintptr_t)object / 16; }

int main(void) {
    void *first = malloc(16);
    uintptr_t known = number(first);
    free(first);
    void *second = malloc(16), *third = malloc(16);
    assert(number(second) != number(third));
    if (number(second) == known) assert(number(third) != known);
    assert((number(second) == known) == (second == first));
    free(second);
    free(third);
    return 0;
}
