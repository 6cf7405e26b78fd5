// A parallel loop that can be broken off: the lowest iteration that breaks
// counts.
// kind: assertion
// bug: the minimum is kept by a comparison and a write; a lower one written in
// between is lost.
#include "unit.h"

#define ITERATIONS 8

static atomic_int next, lowest = ITERATIONS;

static void break_at(int i) {
#ifdef FIXED
  int seen = lowest;
  while (i < seen && !atomic_compare_exchange_strong(&lowest, &seen, i))
    ;
#else
  if (i < lowest)
    lowest = i;
#endif
}

static void *worker(void *arg) {
  for (int i; (i = atomic_fetch_add(&next, 1)) < ITERATIONS;)
    if (i == 3 || i == 5)
      break_at(i);
  record(1);
  record(2);
  record(3);
  return arg;
}

int main(void) {
  RUN(worker, worker, worker);
  assert(lowest == 3);
  return 0;
}
