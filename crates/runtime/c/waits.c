/* Waits on conditions, by all functions that wait on one. `schedule/src/stand.rs` lists those
 * that programs call in libraries. */
#include "common.h"

/* Looking a function up takes longer than what waits do. */
static void *tp_known(_Atomic(void *) *known, const char *name) {
  void *real = atomic_load_explicit(known, memory_order_acquire);
  if (!real) atomic_store_explicit(known, real = tp_real(name), memory_order_release);
  return real;
}

/* A time that is none is an error, and the wait does not begin. */
static bool tp_is_time(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  static _Atomic(void *) known;
  int (*real)(pthread_cond_t *, pthread_mutex_t *) = tp_known(&known, "pthread_cond_wait");
  return tp_decides_wait() ? tp_wait_on_condition(mutex) : real(cond, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
  static _Atomic(void *) known;
  int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) =
      tp_known(&known, "pthread_cond_timedwait");
  return tp_decides_wait() && tp_is_time(until) ? tp_wait_on_condition(mutex) : real(cond, mutex, until);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  static _Atomic(void *) known;
  int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) =
      tp_known(&known, "pthread_cond_clockwait");
  return tp_decides_wait() && tp_is_time(until) ? tp_wait_on_condition(mutex) : real(cond, mutex, clock, until);
}

/* The C library's own would wait behind our back. */
int cnd_wait(cnd_t *cond, mtx_t *mutex) {
  return pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex) == 0 ? thrd_success : thrd_error;
}

int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until) {
  int result = pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, until);
  return result == 0 ? thrd_success : result == ETIMEDOUT ? thrd_timedout : thrd_error;
}
