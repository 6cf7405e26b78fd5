// Addresses are totally ordered, whichever order it is, and differences agree with it.
// expect: default=safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int is_below(const char *a, const char *b) { return (uintptr_t)a < (uintptr_t)b; }

int main(void) {
    char *a = malloc(4), *b = malloc(4), *c = malloc(4);
    assert(is_below(a, b) != is_below(b, a));
    if (is_below(a, b) && is_below(b, c)) assert(is_below(a, c));
    if (is_below(c, b) && is_below(b, a)) assert(!is_below(a, c));
    assert(((intptr_t)a - (intptr_t)b < 0) == is_below(a, b));
    assert(((intptr_t)c - (intptr_t)a < 0) == is_below(c, a));
    assert(((intptr_t)b - (intptr_t)c < 0) == is_below(b, c));
    assert(is_below(a, a + 1) && !is_below(a, a));
    free(a);
    free(b);
    free(c);
    return 0;
}
