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

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
    return __tp_is_time(until) ? __tp_cond_timedwait(cond, mutex) : EINVAL;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
    return pthread_cond_timedwait(cond, mutex, until);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    int code = __tp_mutex_timedlock(mutex);
    return code == ETIMEDOUT && !__tp_is_time(until) ? EINVAL : code;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    return pthread_mutex_timedlock(mutex, until);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return __tp_is_time(until) ? __tp_rwlock_timedrdlock(lock) : EINVAL;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    return pthread_rwlock_timedrdlock(lock, until);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
    return __tp_is_time(until) ? __tp_rwlock_timedwrlock(lock) : EINVAL;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
    return pthread_rwlock_timedwrlock(lock, until);
}
