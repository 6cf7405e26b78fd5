// A program that toggles for ever: no end, no deadlock, finitely many states.
// expect: default=safe
// final-states: 0

#include <assert.h>

static int light;

int main(void)
{
    for (;;) {
        light = !light;
        assert(light == 0 || light == 1);
    }
}
