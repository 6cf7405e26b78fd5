// Every case ends with its break.
// expect: default=safe
// final-states: 1

#include <assert.h>

enum command { START, STOP, PAUSE };

static int speed = 5;

static void apply(enum command command)
{
    switch (command) {
    case START:
        speed = 10;
        break;
    case PAUSE:
        speed = 1;
        break;
    case STOP:
        speed = 0;
        break;
    }
}

int main(void)
{
    apply(START);
    assert(speed == 10);
    apply(PAUSE);
    assert(speed == 1);
    return 0;
}
