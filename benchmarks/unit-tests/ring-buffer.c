// A bounded ring buffer for several producers and consumers; each slot has a
// number that says whose turn it is.
// kind: assertion
// bug: the producer passes the turn on before it has written the item.
#include "unit.h"

#define CAPACITY 2
#define ITEMS 2

static atomic_int items[CAPACITY], turn[CAPACITY] = {0, 1};
static atomic_int head, tail;

static void put(int item) {
  int at = atomic_fetch_add(&tail, 1);
  while (turn[at % CAPACITY] != at)
    ;
#ifdef FIXED
  items[at % CAPACITY] = item;
  turn[at % CAPACITY] = at + 1;
#else
  turn[at % CAPACITY] = at + 1;
  items[at % CAPACITY] = item;
#endif
}

static int get(void) {
  int at = atomic_fetch_add(&head, 1);
  while (turn[at % CAPACITY] != at + 1)
    ;
  int item = atomic_exchange(&items[at % CAPACITY], 0);
  turn[at % CAPACITY] = at + CAPACITY;
  return item;
}

static void *producer(void *id) {
  for (int i = 1; i <= ITEMS; i++)
    put((int)(size_t)id * ITEMS + i);
  record(10);
  record(11);
  return 0;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= ITEMS; i++) {
    int item = get();
    assert(item != 0);
    record(item);
  }
  return arg;
}

int main(void) {
  RUN(producer, producer, consumer, consumer);
  for (int item = 1; item <= 2 * ITEMS; item++)
    assert(count_of(item) == 1);
  return 0;
}
