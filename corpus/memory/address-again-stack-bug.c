// A call's variable may have the address that one of an earlier call had.
// expect: assert=unsafe memory=safe uninit=safe
#include <assert.h>
#include <stddef.h>

struct waiter {
    int number;
};

static struct waiter *last;

static int is_new(int number) {
    struct waiter waiter = {number};
    int fresh = &waiter != last;
    last = &waiter;
    return fresh && waiter.number == number;
}

int main(void) {
    assert(is_new(1));
    assert(is_new(2)); //~ assert
    return 0;
}
