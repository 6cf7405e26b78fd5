// The field that was never initialised decides a branch after the structure was copied twice.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

struct event {
    int kind;
    int detail;
};

static struct event last;

static struct event make_event(int kind)
{
    struct event event;
    event.kind = kind;
    return event;
}

int main(void)
{
    last = make_event(4);
    struct event copy = last;
    if (copy.kind == 4 && copy.detail > 0) //~ uninit
        return 1;
    return 0;
}
