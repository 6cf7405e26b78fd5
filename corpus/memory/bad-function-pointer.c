// The address of a function survives the way through an integer table.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

static int calls;

static void handle(void)
{
    calls++;
}

int main(void)
{
    uintptr_t handlers[2] = {0, (uintptr_t)handle};
    void (*handler)(void) = (void (*)(void))handlers[1];
    handler();
    assert(calls == 1);
    return 0;
}
