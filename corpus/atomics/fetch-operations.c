// Each fetch operation returns the old value and stores the new one.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <stdatomic.h>

static atomic_uint x = 12;

int main(void) {
    assert(atomic_fetch_add(&x, 3) == 12); // 15
    assert(atomic_fetch_sub(&x, 5) == 15); // 10
    assert(atomic_fetch_or(&x, 5) == 10);  // 15
    assert(atomic_fetch_and(&x, 9) == 15); // 9
    assert(atomic_fetch_xor(&x, 3) == 9);  // 10
    assert(atomic_exchange(&x, 1) == 10);
    assert(x++ == 1);
    assert(++x == 3);
    assert(x-- == 3);
    assert(--x == 1);
    assert((x += 6) == 7);
    assert((x <<= 1) == 14);
    assert((x /= 3) == 4);
    return 0;
}
