// A pipeline of three stages; the first may run ahead by as many items as it has
// credits, which the last one gives back.
// kind: livelock
// bug: the second stage takes an item by a read and a write. An item that is
// sent in between is lost, and all stages wait for it without end.
#include "unit.h"

#define CREDITS 2
#define ITEMS 5

static atomic_int credits = CREDITS, between[2];

static void take(atomic_int *queue) {
  int seen;
  while ((seen = *queue) == 0)
    ;
#ifdef FIXED
  atomic_fetch_sub(queue, 1);
#else
  *queue = seen - 1;
#endif
}

static void *first(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    while (credits == 0)
      ;
    credits--;
    between[0]++;
  }
  record(1);
  record(2);
  return arg;
}

static void *second(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    take(&between[0]);
    between[1]++;
  }
  record(3);
  record(4);
  return arg;
}

static void *third(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    take(&between[1]);
    credits++;
  }
  record(5);
  record(6);
  return arg;
}

int main(void) {
  RUN(first, second, third);
  return 0;
}
