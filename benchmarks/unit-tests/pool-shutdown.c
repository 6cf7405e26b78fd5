// A pool whose workers end when they are told to stop and the queue is empty.
// kind: assertion
// bug: a worker looks into the queue first and at the flag then. A task that
// was submitted between the two is never executed.
#include "unit.h"

#define TASKS 3

static atomic_int queued, stop, executed;

static int try_execute(void) {
  int seen = queued;
  while (seen > 0)
    if (atomic_compare_exchange_strong(&queued, &seen, seen - 1)) {
      executed++;
      return 1;
    }
  return 0;
}

static void *worker(void *arg) {
  for (;;) {
#ifdef FIXED
    int last = stop;
    if (!try_execute() && last)
      break;
#else
    if (!try_execute() && stop)
      break;
#endif
  }
  record(1);
  record(2);
  return arg;
}

static void *client(void *arg) {
  for (int i = 0; i < TASKS; i++)
    queued++;
  stop = 1;
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(worker, worker, client);
  assert(executed == TASKS);
  return 0;
}
