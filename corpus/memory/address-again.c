// Addresses of objects that live at the same time differ, and what a comparison has shown stays so.
// expect: assert=safe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *first = malloc(8);
    free(first);
    char *second = malloc(8), *third = malloc(8), *large = malloc(64);
    int is_second = second == first, is_third = third == first;
    assert(!(is_second && is_third));
    assert(is_second == (first == second));
    assert(second != third);
    /* It does not fit. */
    assert(large != first);
    free(second);
    char *fourth = malloc(8);
    if (is_second && fourth == second) assert(fourth == first);
    if (is_third) assert(fourth != first);
    assert(fourth != third);
    free(third);
    free(fourth);
    free(large);
    return 0;
}
