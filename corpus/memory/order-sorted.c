// Three objects that are sorted by address are in order, whichever way they lie.
// expect: default=safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *objects[3];
    for (int i = 0; i < 3; i++) objects[i] = malloc(8);
    for (int last = 2; last > 0; last--)
        for (int i = 0; i < last; i++)
            if ((uintptr_t)objects[i] > (uintptr_t)objects[i + 1]) {
                char *lower = objects[i + 1];
                objects[i + 1] = objects[i];
                objects[i] = lower;
            }
    assert((uintptr_t)objects[0] < (uintptr_t)objects[2]);
    assert((uintptr_t)objects[0] < (uintptr_t)objects[1] && (uintptr_t)objects[1] < (uintptr_t)objects[2]);
    for (int i = 0; i < 3; i++) free(objects[i]);
    return 0;
}
