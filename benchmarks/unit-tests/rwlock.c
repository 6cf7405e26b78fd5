// A read-write lock that spins: readers count themselves, a writer closes the
// door and waits for the readers to leave.
// kind: assertion
// bug: a reader looks at the door before it is counted and not again. A writer
// that closes it in between sees no reader.
#include "unit.h"

static atomic_int readers, writer;
static atomic_int left, right;

static void read_lock(void) {
  for (;;) {
    while (writer)
      ;
    readers++;
#ifdef FIXED
    if (!writer)
      return;
    readers--;
#else
    return;
#endif
  }
}

static void read_unlock(void) {
  readers--;
}

static void write_lock(void) {
  while (atomic_exchange(&writer, 1))
    while (writer)
      ;
  while (readers)
    ;
}

static void write_unlock(void) {
  writer = 0;
}

static void *reader(void *arg) {
  read_lock();
  int seen = left;
  assert(right == seen);
  read_unlock();
  record(1);
  record(2);
  return arg;
}

static void *changer(void *arg) {
  write_lock();
  left++;
  right++;
  write_unlock();
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(reader, reader, changer, changer);
  assert(left == 2 && right == 2);
  return 0;
}
