// Whether or not an object stays where it was when it grows, it has its contents and its own place.
// expect: assert=safe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *other = malloc(100);
    char *small = malloc(8);
    small[7] = 3;
    char *large = realloc(small, 100);
    assert(large[7] == 3);
    assert(large != other);
    int stayed = large == small;
    free(large);
    char *next = malloc(8);
    if (!stayed && next == small) assert(next != large);
    free(next);
    free(other);
    return 0;
}
