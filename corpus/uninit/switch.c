// The result of the receive is checked before the switch over the message type.
// expect: default=safe

#include <assert.h>

enum type { PING, PONG };

static int receive(int connected, enum type *type)
{
    if (!connected)
        return -1;
    *type = PONG;
    return 0;
}

static int handle(int connected)
{
    enum type type;
    if (receive(connected, &type) != 0)
        return 0;
    switch (type) {
    case PING:
        return 1;
    case PONG:
        return 2;
    }
    return 3;
}

int main(void)
{
    assert(handle(0) == 0);
    assert(handle(1) == 2);
    return 0;
}
