// The older __sync builtins, all of them full barriers.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>

static int x = 1;
static int lock;

int main(void) {
    assert(__sync_fetch_and_add(&x, 4) == 1);
    assert(__sync_add_and_fetch(&x, 1) == 6);
    assert(__sync_fetch_and_sub(&x, 2) == 6);
    assert(__sync_sub_and_fetch(&x, 1) == 3);
    assert(__sync_fetch_and_or(&x, 8) == 3);
    assert(__sync_fetch_and_and(&x, 9) == 11);
    assert(__sync_fetch_and_xor(&x, 1) == 9);
    assert(x == 8);
    assert(__sync_bool_compare_and_swap(&x, 8, 20));
    assert(!__sync_bool_compare_and_swap(&x, 8, 30));
    assert(__sync_val_compare_and_swap(&x, 20, 21) == 20);
    assert(__sync_val_compare_and_swap(&x, 20, 22) == 21);
    assert(__sync_lock_test_and_set(&lock, 1) == 0);
    __sync_lock_release(&lock);
    __sync_synchronize();
    assert(lock == 0 && x == 21);
    return 0;
}
