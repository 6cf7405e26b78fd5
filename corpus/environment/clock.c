// Clocks go forward, and their parts are in range.
// expect: default=safe overflow=safe
// inputs: too many

#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(0 <= start.tv_nsec && start.tv_nsec < 1000000000);
    assert(start.tv_sec < end.tv_sec || (start.tv_sec == end.tv_sec && start.tv_nsec <= end.tv_nsec));
    assert(end.tv_sec - start.tv_sec >= 0);
    time_t now = time(0);
    assert(now <= time(0));
    return 0;
}
