/* Functions that wait, or whose result the trace decides: who is woken by a
 * signal, when a wait ends without one, whether a time is over. */
#include "replay.h"

bool tp_decides_wait(void) { return tp_current(); }

/* Leaves the mutex, and takes it again when the trace says so. */
int tp_wait_on_condition(pthread_mutex_t *mutex) {
  const tp_planned *begin = tp_current();
  uint32_t site = begin->site;
  if (begin->kind != TP_WAIT_BEGINS) return begin->result;
  pthread_mutex_unlock(mutex);
  tp_event(site);
  const tp_planned *end = tp_current();
  if (!end) tp_hold_for_ever();
  if (end->kind != TP_WAIT_ENDS) tp_depart("wait", site);
  int locked = pthread_mutex_lock(mutex);
  return end->result ? end->result : locked;
}

/* Those who came earlier are let go by the last, whom the trace names. */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int (*real)(pthread_barrier_t *) = tp_real("pthread_barrier_wait");
  const tp_planned *event = tp_current();
  if (!event) return real(barrier);
  int result = event->result;
  if (event->kind == TP_WAIT_BEGINS) {
    bool for_ever = tp_waits_for_ever();
    tp_release();
    if (for_ever) atomic_store(&tp_arrived[tp_self], 1);
  }
  real(barrier);
  return result;
}

/* Whether the trace lets an operation with a time limit fail. */
static int tp_times_out(void) {
  const tp_planned *event = tp_current();
  return event && event->kind == TP_OPERATION ? event->result : 0;
}

#define TP_TIMED(name, type, plain) \
  int name(type *object, const struct timespec *until) { \
    (void)until; \
    int result = tp_times_out(); \
    return result ? result : plain(object); \
  }
TP_TIMED(pthread_mutex_timedlock, pthread_mutex_t, pthread_mutex_lock)
TP_TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_t, pthread_rwlock_rdlock)
TP_TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_t, pthread_rwlock_wrlock)

#define TP_CLOCKED(name, type, plain) \
  int name(type *object, clockid_t clock, const struct timespec *until) { \
    (void)clock, (void)until; \
    int result = tp_times_out(); \
    return result ? result : plain(object); \
  }
TP_CLOCKED(pthread_mutex_clocklock, pthread_mutex_t, pthread_mutex_lock)
TP_CLOCKED(pthread_rwlock_clockrdlock, pthread_rwlock_t, pthread_rwlock_rdlock)
TP_CLOCKED(pthread_rwlock_clockwrlock, pthread_rwlock_t, pthread_rwlock_wrlock)

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  (void)until;
  int result = tp_times_out();
  if (!result) return sem_wait(semaphore);
  errno = result;
  return -1;
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
  (void)until;
  return tp_times_out() ? thrd_timedout : mtx_lock(mutex);
}

/* Time does not matter: the order is known. */
unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(useconds_t time) { return (void)time, 0; }
int nanosleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  return (void)clock, (void)flags, (void)time, (void)rest, 0;
}
int thrd_sleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
