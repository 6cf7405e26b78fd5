// An object that is made later need not lie where one lay that was freed before.
// expect: assert=unsafe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *old = malloc(8), *third = malloc(8);
    int was_below = (uintptr_t)old < (uintptr_t)third;
    free(old);
    char *fresh = malloc(8);
    assert(((uintptr_t)fresh < (uintptr_t)third) == was_below); //~ assert
    free(fresh);
    free(third);
    return 0;
}
