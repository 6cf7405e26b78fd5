// A state machine runs into a state without a handler.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

typedef int (*handler)(int);

static int idle(int input) { return input > 0 ? 1 : 0; }
static int busy(int input) { return input > 5 ? 2 : 1; }

static handler handlers[3] = {idle, busy};

int main(void)
{
    int state = 0;
    for (int input = 4; input < 8; input++)
        state = handlers[state](input); //~ memory
    return state;
}
