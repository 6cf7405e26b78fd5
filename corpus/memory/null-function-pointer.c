// A callback is called only when one is registered.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>

static void (*on_close)(int);
static int last_closed;

static void record(int handle)
{
    last_closed = handle;
}

static void close_handle(int handle)
{
    if (on_close != NULL)
        on_close(handle);
}

int main(void)
{
    close_handle(3);
    assert(last_closed == 0);
    on_close = record;
    close_handle(4);
    assert(last_closed == 4);
    return 0;
}
