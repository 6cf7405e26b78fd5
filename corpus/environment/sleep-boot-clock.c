// A sleep moves the clock that counts from the start of the machine, and the one without leap seconds.
// expect: default=safe
// inputs: too many

#define _GNU_SOURCE
#include <assert.h>
#include <time.h>
#include <unistd.h>

static time_t seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec;
}

int main(void)
{
    time_t boot = seconds(CLOCK_BOOTTIME), atomic = seconds(CLOCK_TAI);
    sleep(1);
    assert(seconds(CLOCK_BOOTTIME) > boot);
    assert(seconds(CLOCK_TAI) > atomic);
    return 0;
}
