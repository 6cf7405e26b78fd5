// A counted object and weak pointers to it, which give a strong one as long as
// the object lives.
// kind: assertion
// bug: the count is looked at and incremented in two steps; in between it may
// have reached zero and the object is gone.
#include "unit.h"

static atomic_int count = 1, destroyed;

static void release(void) {
  if (atomic_fetch_sub(&count, 1) == 1)
    destroyed = 1;
}

static int upgrade(void) {
#ifdef FIXED
  int seen = count;
  while (seen > 0)
    if (atomic_compare_exchange_strong(&count, &seen, seen + 1))
      return 1;
  return 0;
#else
  if (count == 0)
    return 0;
  count++;
  return 1;
#endif
}

static void *observer(void *arg) {
  for (int i = 0; i < 2; i++)
    if (upgrade()) {
      assert(!destroyed);
      release();
    }
  record(1);
  record(2);
  return arg;
}

static void *owner(void *arg) {
  record(3);
  release();
  record(4);
  return arg;
}

int main(void) {
  RUN(observer, observer, owner);
  assert(destroyed);
  return 0;
}
