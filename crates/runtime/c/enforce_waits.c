/* Waits are two events: the schedule says when they end. */
#include "enforce.h"

bool tp_decides_wait(void) { return tp_current() && tp_current()->kind == TP_WAIT_BEGINS; }

/* Leaves the mutex, and takes it again when the schedule lets the wait end. */
int tp_wait_on_condition(pthread_mutex_t *mutex) {
  uint32_t site = tp_current()->site;
  pthread_mutex_unlock(mutex);
  tp_publish();
  tp_before(site);
  return pthread_mutex_lock(mutex);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  static _Atomic(void *) known;
  int (*real)(pthread_barrier_t *) = tp_known(&known, "pthread_barrier_wait");
  if (tp_decides_wait()) tp_publish();
  return real(barrier);
}
