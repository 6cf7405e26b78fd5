/* Nobody knows what time it is. */
#include <sys/time.h>
#include <time.h>

#include "rt.h"

time_t time(time_t *to) {
    time_t now = (time_t)__tp_nondet_long();
    if (to) *to = now;
    return now;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
    to->tv_sec = (time_t)__tp_nondet_long();
    to->tv_nsec = __tp_nondet_long();
    return 0;
}

int timespec_get(struct timespec *to, int base) {
    clock_gettime(0, to);
    return base;
}

int gettimeofday(struct timeval *to, void *zone) {
    to->tv_sec = (time_t)__tp_nondet_long();
    to->tv_usec = (suseconds_t)__tp_nondet_long();
    return 0;
}

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }
