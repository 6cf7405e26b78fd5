// Functions registered with atexit run after main, the last one first.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdlib.h>

static int step;

static void close_files(void)
{
    assert(step == 2);
    step = 3;
}

static void flush_files(void)
{
    assert(step == 1);
    step = 2;
}

int main(void)
{
    atexit(close_files);
    atexit(flush_files);
    step = 1;
    return 0;
}
