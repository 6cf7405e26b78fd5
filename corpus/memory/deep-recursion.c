// A recursion of depth 100,000 fits the stack: each call takes 64 bytes.
// expect: memory=safe assert=safe

#include <assert.h>

static int count(int left) { return left == 0 ? 0 : 1 + count(left - 1); }

int main(void)
{
    assert(count(100000) == 100000);
    return 0;
}
