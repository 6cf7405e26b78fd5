// With NDEBUG an assertion is no code at all.
// expect: default=safe
// flags: -DNDEBUG
// final-states: 1

#include <assert.h>

static int evaluated;

int main(void)
{
    assert(++evaluated == 0);
    assert(0);
    return evaluated;
}
