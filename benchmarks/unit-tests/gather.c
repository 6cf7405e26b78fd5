// A gather port: workers post partial results, the last one to post runs the
// handler on all of them.
// kind: assertion
// bug: a worker counts as having posted when it has claimed its slot, though
// the result is not there yet.
#include "unit.h"

#define WORKERS 4

static atomic_int claimed, posted, slots[WORKERS], sum;

static void handler(void) {
  for (int i = 0; i < WORKERS; i++) {
    assert(slots[i] != 0);
    sum += slots[i];
  }
}

static void post(int result) {
  int slot = atomic_fetch_add(&claimed, 1);
  slots[slot] = result;
#ifdef FIXED
  int last = atomic_fetch_add(&posted, 1) == WORKERS - 1;
#else
  int last = slot == WORKERS - 1;
#endif
  if (last)
    handler();
}

static void *worker(void *id) {
  record(1);
  post((int)(size_t)id + 1);
  record(2);
  record(3);
  return 0;
}

int main(void) {
  RUN(worker, worker, worker, worker);
  assert(sum == 10);
  return 0;
}
