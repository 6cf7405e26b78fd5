/* Semaphores report errors through errno. */
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "rt.h"

static int report(int code) {
    if (!code) return 0;
    *__errno_location() = code;
    return -1;
}

int sem_init(sem_t *sem, int shared, unsigned value) { return report(__tp_sem_init(sem, value)); }
int sem_wait(sem_t *sem) { return report(__tp_sem_wait(sem)); }
int sem_trywait(sem_t *sem) { return report(__tp_sem_trywait(sem)); }
int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until) {
    if (!__tp_can_wait(clock, until)) return report(EINVAL);
    long long seconds = until->tv_sec, parts = until->tv_nsec;
    return report(__tp_waited(__tp_sem_timedwait(sem), clock, seconds, parts));
}
int sem_timedwait(sem_t *sem, const struct timespec *until) { return sem_clockwait(sem, CLOCK_REALTIME, until); }
int sem_post(sem_t *sem) { return report(__tp_sem_post(sem)); }
int sem_destroy(sem_t *sem) { return report(__tp_sem_destroy(sem)); }

int sem_getvalue(sem_t *sem, int *value) {
    *value = __tp_sem_getvalue(sem);
    return 0;
}
