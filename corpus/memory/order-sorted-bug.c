// One round of exchanges does not sort three addresses, though it does if the last one is the highest.
// expect: assert=unsafe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *objects[3];
    for (int i = 0; i < 3; i++) objects[i] = malloc(8);
    for (int i = 0; i < 2; i++)
        if ((uintptr_t)objects[i] > (uintptr_t)objects[i + 1]) {
            char *lower = objects[i + 1];
            objects[i + 1] = objects[i];
            objects[i] = lower;
        }
    assert((uintptr_t)objects[1] < (uintptr_t)objects[2]);
    assert((uintptr_t)objects[0] < (uintptr_t)objects[1]); //~ assert
    for (int i = 0; i < 3; i++) free(objects[i]);
    return 0;
}
