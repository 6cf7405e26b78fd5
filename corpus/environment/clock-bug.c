// Two looks at a clock can see the same time.
// expect: assert=unsafe memory=safe
// inputs: too many

#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(start.tv_sec != end.tv_sec || start.tv_nsec != end.tv_nsec); //~ assert
    return 0;
}
