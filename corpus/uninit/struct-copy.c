// A partly initialised structure may be copied and passed around; only its initialised field decides.
// expect: default=safe

#include <assert.h>

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

static int is_kind(struct event event, int kind)
{
    return event.kind == kind;
}

int main(void)
{
    struct event event = make_event(4);
    last = event;
    assert(is_kind(last, 4));
    return 0;
}
