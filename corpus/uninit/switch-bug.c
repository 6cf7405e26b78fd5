// A switch over a message type that was never received.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

enum type { PING, PONG };

static int receive(int connected, enum type *type)
{
    if (!connected)
        return -1;
    *type = PONG;
    return 0;
}

int main(void)
{
    enum type type;
    receive(0, &type);
    switch (type) { //~ uninit
    case PING:
        return 1;
    case PONG:
        return 2;
    }
    return 0;
}
