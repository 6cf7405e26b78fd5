// A sense-reversing barrier of three parties that spin.
// kind: livelock
// bug: the last to arrive opens the barrier before it restores the count. Who
// is fast arrives at the next round in between, and its arrival is forgotten.
#include "unit.h"

#define PARTIES 3
#define ROUNDS 3

static atomic_int missing = PARTIES;
static atomic_int sense;

static void barrier(void) {
  int mine = !sense;
  if (atomic_fetch_sub(&missing, 1) == 1) {
#ifdef FIXED
    missing = PARTIES;
    sense = mine;
#else
    sense = mine;
    missing = PARTIES;
#endif
  } else {
    while (sense != mine)
      ;
  }
}

static void *party(void *id) {
  for (int round = 0; round < ROUNDS; round++)
    barrier();
  record((int)(size_t)id);
  record(10);
  record(11);
  return 0;
}

int main(void) {
  RUN(party, party, party);
  assert(count_of(10) == PARTIES);
  return 0;
}
