// Half of an address, as a number, tells that a place was given out again: this is not followed.
// expect: assert=unknown
#include <assert.h>
#include <stdlib.h>

static unsigned lower_half(void **pointer) { return *(unsigned *)pointer; }

int main(void) {
    void *old = malloc(8);
    unsigned before = lower_half(&old);
    free(old);
    void *fresh = malloc(8);
    assert(lower_half(&fresh) != before);
    free(fresh);
    return 0;
}
