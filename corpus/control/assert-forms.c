// The forms of an assertion, all of which hold: assert, static_assert, tp_assert, and a call of reach_error out of reach.
// expect: default=safe

#include <assert.h>
#include <stdbool.h>

#include "threadproof.h"

extern void reach_error(void);
extern void __VERIFIER_error(void);

static_assert(sizeof(char) == 1, "a char is one byte");

static bool holds = true;

static void check(bool condition)
{
    if (!condition) {
        reach_error();
        __VERIFIER_error();
    }
}

int main(void)
{
    assert(holds);
    assert(holds && "with a message");
    tp_assert(holds);
    check(holds);
    return 0;
}
