/* Sleeping for a time that is given by a structure. `sleep` and `usleep`, which
 * are given a number, are lowered to what is called here. */
#include <errno.h>
#include <threads.h>
#include <time.h>

#include "rt.h"

static int is_duration(const struct timespec *time) { return time->tv_sec >= 0 && __tp_is_time(time); }

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (!is_duration(time) || clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
    if (flags & TIMER_ABSTIME) {
        long long seconds = time->tv_sec, parts = time->tv_nsec;
        __tp_pause(0, 0);
        __tp_time_came(clock, seconds, parts);
    } else {
        __tp_pause(time->tv_sec, time->tv_nsec);
    }
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    if (is_duration(time)) {
        __tp_pause(time->tv_sec, time->tv_nsec);
        return 0;
    }
    *__errno_location() = EINVAL;
    return -1;
}

int thrd_sleep(const struct timespec *time, struct timespec *left) {
    if (!is_duration(time)) return -2;
    __tp_pause(time->tv_sec, time->tv_nsec);
    return 0;
}
