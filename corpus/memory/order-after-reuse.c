// An object that got the place of another lies to a third one as that other did.
// expect: default=safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *old = malloc(8), *third = malloc(8);
    uintptr_t place = (uintptr_t)old;
    int was_below = place < (uintptr_t)third;
    free(old);
    char *fresh = malloc(8);
    int is_below = (uintptr_t)fresh < (uintptr_t)third;
    if ((uintptr_t)fresh == place) assert(is_below == was_below);
    free(fresh);
    free(third);
    return 0;
}
