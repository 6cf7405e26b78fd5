// Functions registered with atexit run in the reverse order, which this program forgets.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdlib.h>

static int step;

static void flush_files(void)
{
    assert(step == 1); //~ assert
    step = 2;
}

static void close_files(void)
{
    step = 3;
}

int main(void)
{
    atexit(flush_files);
    atexit(close_files);
    step = 1;
    return 0;
}
