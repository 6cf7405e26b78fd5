/* Operations that wait until a time. Whether the time has come is open; a number
 * of nanoseconds that is no part of a second is an error. The GNU library looks
 * at the time of a mutex only where the mutex is not free. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "rt.h"

int __tp_is_time(const void *time) {
    long nanoseconds = ((const struct timespec *)time)->tv_nsec;
    return nanoseconds >= 0 && nanoseconds < 1000000000;
}

/* Whether a wait can be for this clock and this time. */
int __tp_can_wait(int clock, const void *time) {
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && __tp_is_time(time);
}

/* What a wait returns that may have ended because the time came. The time is
 * passed by value: others may change it or free it during the wait. */
int __tp_waited(int code, int clock, long long seconds, long long parts) {
    if (code == ETIMEDOUT) __tp_time_came(clock, seconds, parts);
    return code;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
    if (!__tp_can_wait(clock, until)) return EINVAL;
    long long seconds = until->tv_sec, parts = until->tv_nsec;
    return __tp_waited(__tp_cond_timedwait(cond, mutex), clock, seconds, parts);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
    return pthread_cond_clockwait(cond, mutex, __tp_clock_of(cond), until);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    int code = __tp_mutex_timedlock(mutex);
    if (code != ETIMEDOUT) return code;
    if (!__tp_is_time(until)) return EINVAL;
    return __tp_waited(code, clock, until->tv_sec, until->tv_nsec);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    if (!__tp_can_wait(clock, until)) return EINVAL;
    long long seconds = until->tv_sec, parts = until->tv_nsec;
    return __tp_waited(__tp_rwlock_timedrdlock(lock), clock, seconds, parts);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    if (!__tp_can_wait(clock, until)) return EINVAL;
    long long seconds = until->tv_sec, parts = until->tv_nsec;
    return __tp_waited(__tp_rwlock_timedwrlock(lock), clock, seconds, parts);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}
