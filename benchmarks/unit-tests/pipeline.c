// A pipeline of three stages; the first may run ahead by as many items as it has
// credits, which the last one gives back.
// kind: livelock
// bug: a credit is spent by a read and a write. What is given back in between is
// lost, and in the end the first stage waits for credits without end.
#include "unit.h"

#define CREDITS 2
#define ITEMS 5

static atomic_int credits = CREDITS, between[2];

static int try_spend(void) {
  int seen = credits;
  if (seen == 0)
    return 0;
#ifdef FIXED
  return atomic_compare_exchange_strong(&credits, &seen, seen - 1);
#else
  credits = seen - 1;
  return 1;
#endif
}

static void *first(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    while (!try_spend())
      ;
    between[0]++;
  }
  record(1);
  record(2);
  return arg;
}

static void *second(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    while (between[0] == 0)
      ;
    between[0]--;
    between[1]++;
  }
  record(3);
  record(4);
  return arg;
}

static void *third(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    while (between[1] == 0)
      ;
    between[1]--;
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
