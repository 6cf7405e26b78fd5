/* Waits are two events: the schedule says when they end. */
#include "enforce.h"

/* Looking a function up takes longer than what waits do. */
static void *tp_known(_Atomic(void *) *known, const char *name) {
  void *real = atomic_load_explicit(known, memory_order_acquire);
  if (!real) atomic_store_explicit(known, real = tp_real(name), memory_order_release);
  return real;
}

static bool tp_begins_to_wait(void) { return tp_current() && tp_current()->kind == TP_WAIT_BEGINS; }

/* Leaves the mutex, and takes it again when the schedule lets the wait end. */
static int tp_wait_on_condition(pthread_mutex_t *mutex) {
  uint32_t site = tp_current()->site;
  pthread_mutex_unlock(mutex);
  tp_publish();
  tp_before(site);
  return pthread_mutex_lock(mutex);
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  static _Atomic(void *) known;
  int (*real)(pthread_cond_t *, pthread_mutex_t *) = tp_known(&known, "pthread_cond_wait");
  return tp_begins_to_wait() ? tp_wait_on_condition(mutex) : real(cond, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
  static _Atomic(void *) known;
  int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) =
      tp_known(&known, "pthread_cond_timedwait");
  return tp_begins_to_wait() ? tp_wait_on_condition(mutex) : real(cond, mutex, until);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  static _Atomic(void *) known;
  int (*real)(pthread_barrier_t *) = tp_known(&known, "pthread_barrier_wait");
  if (tp_begins_to_wait()) tp_publish();
  return real(barrier);
}
