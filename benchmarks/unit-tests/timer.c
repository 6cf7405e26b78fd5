// Timers that can be cancelled: when a cancellation has succeeded, the callback
// does not run any more and what it uses may go.
// kind: assertion
// bug: the timer looks whether it is armed and fires in two steps.
#include "unit.h"

#define TIMERS 2
enum { ARMED, CANCELLED, FIRED };

static atomic_int state[TIMERS], gone[TIMERS];

static void callback(int timer) {
  assert(!gone[timer]);
  record(timer);
}

static void fire(int timer) {
#ifdef FIXED
  int armed = ARMED;
  if (atomic_compare_exchange_strong(&state[timer], &armed, FIRED))
    callback(timer);
#else
  if (state[timer] == ARMED) {
    state[timer] = FIRED;
    callback(timer);
  }
#endif
}

static int cancel(int timer) {
  int armed = ARMED;
  return atomic_compare_exchange_strong(&state[timer], &armed, CANCELLED);
}

static void *clock_thread(void *arg) {
  for (int i = 0; i < TIMERS; i++)
    fire(i);
  record(10);
  record(11);
  return arg;
}

static void *canceller(void *arg) {
  for (int i = 0; i < TIMERS; i++)
    if (cancel(i))
      gone[i] = 1;
  record(12);
  record(13);
  return arg;
}

static void *observer(void *arg) {
  for (int i = 0; i < 4; i++)
    record(20 + i);
  return arg;
}

int main(void) {
  RUN(clock_thread, canceller, observer);
  return 0;
}
