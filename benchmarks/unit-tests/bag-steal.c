// A bag with a list for its owner, from whose other end thieves steal.
// kind: assertion
// bug: the owner takes without the lock when the list has two items or more,
// since a thief can take but one. Two thieves take both.
#include "unit.h"

#define ITEMS 3

static int items[ITEMS];
static atomic_int head, tail;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken[ITEMS + 1];

static void add(int item) {
  items[tail] = item;
  tail++;
}

static int take_locked(void) {
  int item = 0;
  pthread_mutex_lock(&mutex);
  if (tail > head) {
    item = items[tail - 1];
    tail--;
  }
  pthread_mutex_unlock(&mutex);
  return item;
}

static int take(void) {
#ifndef FIXED
  if (tail - head >= 2) {
    int at = atomic_fetch_sub(&tail, 1) - 1;
    return items[at];
  }
#endif
  return take_locked();
}

static int steal(void) {
  int item = 0;
  pthread_mutex_lock(&mutex);
  if (tail > head) {
    item = items[head];
    head++;
  }
  pthread_mutex_unlock(&mutex);
  return item;
}

static void check(int item) {
  if (item)
    assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *owner(void *arg) {
  check(take());
  check(take());
  record(1);
  record(2);
  return arg;
}

static void *thief(void *arg) {
  check(steal());
  record(3);
  check(steal());
  record(4);
  return arg;
}

int main(void) {
  for (int i = 1; i <= ITEMS; i++)
    add(i);
  RUN(owner, thief, thief);
  for (int i = 1; i <= ITEMS; i++)
    assert(taken[i] == 1);
  return 0;
}
