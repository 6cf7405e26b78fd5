// A work-stealing deque: its owner works at the bottom, thieves at the top.
// kind: assertion
// bug: the owner does not compete for the last item. A thief that has looked
// at the deque before can still get it.
#include "unit.h"

#define ITEMS 3
#define EMPTY 0

static atomic_int items[ITEMS] = {1, 2, 3};
static atomic_int top, bottom = ITEMS;
static atomic_int taken[ITEMS + 1];

static int take(void) {
  int at = bottom - 1;
  bottom = at;
  int first = top;
  if (first > at) {
    bottom = first;
    return EMPTY;
  }
  int item = items[at];
#ifdef FIXED
  if (first == at) {
    if (!atomic_compare_exchange_strong(&top, &first, first + 1))
      item = EMPTY;
    bottom = at + 1;
  }
#endif
  return item;
}

static int steal(void) {
  int first = top;
  int end = bottom;
  if (first >= end)
    return EMPTY;
  int item = items[first];
  return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : EMPTY;
}

static void check(int item) {
  if (item)
    assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *owner(void *arg) {
  for (int i = 0; i < ITEMS; i++)
    check(take());
  record(1);
  record(2);
  return arg;
}

static void *thief(void *arg) {
  check(steal());
  check(steal());
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(owner, thief, thief);
  return 0;
}
