// A break was forgotten, and the next case overwrites the result.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

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
        speed = 1; // fall through
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
    assert(speed == 1); //~ assert
    return 0;
}
