// After a sleep, every clock shows a time that is at least that much later.
// expect: default=safe
// inputs: too many

#define _DEFAULT_SOURCE
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t before = time(NULL);
    sleep(2);
    assert(time(NULL) - before >= 2);

    struct timespec start, end, pause = {1, 500};
    clock_gettime(CLOCK_MONOTONIC, &start);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(end.tv_sec > start.tv_sec);
    return 0;
}
