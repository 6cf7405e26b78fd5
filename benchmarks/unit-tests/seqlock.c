// A sequence lock: readers repeat until no writer was active meanwhile.
// kind: assertion
// bug: a reader compares the numbers before and after, but takes an odd one,
// which means that a writer is active.
#include "unit.h"

static atomic_int sequence, left, right;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void write_both(int value) {
  pthread_mutex_lock(&writers);
  sequence++;
  left = value;
  right = value;
  sequence++;
  pthread_mutex_unlock(&writers);
}

static void read_both(int *l, int *r) {
  int before;
  do {
    before = sequence;
#ifdef FIXED
    while (before % 2)
      before = sequence;
#endif
    *l = left;
    *r = right;
  } while (sequence != before);
}

static void *writer(void *id) {
  write_both((int)(size_t)id + 1);
  record(1);
  record(2);
  return 0;
}

static void *reader(void *arg) {
  int l, r;
  read_both(&l, &r);
  assert(l == r);
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(writer, writer, reader, reader);
  return 0;
}
