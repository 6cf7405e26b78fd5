// A parallel loop: workers claim chunks of iterations until none is left.
// kind: assertion
// bug: a chunk is claimed by a read and a write. Two workers can have the same.
#include "unit.h"

#define ITERATIONS 6
#define CHUNK 2

static atomic_int next, executed[ITERATIONS];

static int claim(void) {
#ifdef FIXED
  return atomic_fetch_add(&next, CHUNK);
#else
  int first = next;
  next = first + CHUNK;
  return first;
#endif
}

static void *worker(void *arg) {
  for (int first; (first = claim()) < ITERATIONS;)
    for (int i = first; i < first + CHUNK; i++)
      executed[i]++;
  record(1);
  record(2);
  record(3);
  return arg;
}

int main(void) {
  RUN(worker, worker, worker);
  for (int i = 0; i < ITERATIONS; i++)
    assert(executed[i] == 1);
  return 0;
}
