// The right operand of && and || is evaluated only when the left one does not decide.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

static int calls;

static bool answer(bool value)
{
    calls++;
    return value;
}

int main(void)
{
    assert(!(answer(false) && answer(true)));
    assert(calls == 1);
    assert(answer(true) || answer(false));
    assert(calls == 2);
    assert(answer(true) && (answer(false) || answer(true)));
    assert(calls == 5);
    int *nothing = NULL;
    assert(nothing == NULL || *nothing == 3);
    assert(!(nothing != NULL && *nothing == 3));
    int zero = 0;
    bool divides = zero != 0 && 10 % zero == 0;
    assert(!divides);
    return 0;
}
