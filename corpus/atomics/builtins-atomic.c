// The __atomic builtins of GCC and clang: loads, stores, arithmetic and compare-and-swap.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <stdbool.h>

static int x;
static bool flag;

int main(void) {
    int v = 5, old, expected = 4;
    __atomic_store_n(&x, 3, __ATOMIC_RELEASE);
    assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 3);
    __atomic_store(&x, &v, __ATOMIC_SEQ_CST);
    __atomic_load(&x, &old, __ATOMIC_SEQ_CST);
    assert(old == 5);
    assert(__atomic_exchange_n(&x, 6, __ATOMIC_ACQ_REL) == 5);

    assert(!__atomic_compare_exchange_n(&x, &expected, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(expected == 6);
    assert(__atomic_compare_exchange_n(&x, &expected, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));

    assert(__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED) == 9);
    assert(__atomic_add_fetch(&x, 1, __ATOMIC_RELAXED) == 11);
    assert(__atomic_sub_fetch(&x, 4, __ATOMIC_RELAXED) == 7);
    assert(__atomic_and_fetch(&x, 3, __ATOMIC_RELAXED) == 3);
    assert(__atomic_or_fetch(&x, 8, __ATOMIC_RELAXED) == 11);
    assert(__atomic_xor_fetch(&x, 1, __ATOMIC_RELAXED) == 10);
    assert(__atomic_fetch_nand(&x, 2, __ATOMIC_RELAXED) == 10);
    assert(x == ~2);

    assert(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    assert(__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    assert(!__atomic_load_n(&flag, __ATOMIC_RELAXED));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
