// Atomic arithmetic on signed integers wraps around and is no overflow.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

static atomic_int counter = INT_MAX;

int main(void)
{
    int before = atomic_fetch_add(&counter, 1);
    assert(before == INT_MAX);
    assert(atomic_load(&counter) == INT_MIN);
    before = atomic_fetch_sub(&counter, 1);
    assert(before == INT_MIN);
    assert(atomic_load(&counter) == INT_MAX);
    return 0;
}
