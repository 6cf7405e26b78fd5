// A number of nanoseconds that is no part of a second is refused by nanosleep and its kin.
// expect: default=safe
// final-states: 1

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void)
{
    struct timespec too_many = {0, 1000000000}, negative = {-1, 0}, fine = {0, 999999999};
    assert(nanosleep(&too_many, NULL) == -1 && errno == EINVAL);
    assert(nanosleep(&negative, NULL) == -1);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &too_many, NULL) == EINVAL);
    assert(nanosleep(&fine, NULL) == 0);
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &fine, NULL) == 0);
    return 0;
}
