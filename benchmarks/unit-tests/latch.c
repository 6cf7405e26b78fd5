// A countdown latch: a thread waits until others have signalled often enough.
// kind: livelock
// bug: a signal is a read and a write; of two at once one is lost, and the
// waiting thread spins for ever.
#include "unit.h"

#define SIGNALS 4

static atomic_int missing = SIGNALS;

static void signal_latch(void) {
#ifdef FIXED
  atomic_fetch_sub(&missing, 1);
#else
  int seen = missing;
  missing = seen - 1;
#endif
}

static void wait_latch(void) {
  while (missing > 0)
    ;
}

static void *signaller(void *arg) {
  signal_latch();
  record(1);
  signal_latch();
  record(2);
  record(3);
  return arg;
}

static void *waiter(void *arg) {
  wait_latch();
  record(4);
  record(5);
  return arg;
}

int main(void) {
  RUN(signaller, signaller, waiter, waiter);
  return 0;
}
