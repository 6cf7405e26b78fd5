// Only two sleeps between two looks at a clock move it, so whether five seconds have passed is not known.
// expect: assert=unknown
// inputs: too many

#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t before = time(NULL);
    for (int i = 0; i < 5; i++)
        sleep(1);
    assert(time(NULL) - before >= 5);
    return 0;
}
