// Regions of the heap: a region can be frozen if none of its parts is claimed,
// and a part claimed if its region is not frozen.
// kind: assertion
// bug: both look first and act then; a part claimed behind the scan stays
// claimed in a frozen region.
#include "unit.h"

#define PARTS 3

static atomic_int frozen, claimed[PARTS], violations;

static int freeze(void) {
#ifdef FIXED
  frozen = 1;
#endif
  for (int i = 0; i < PARTS; i++)
    if (claimed[i]) {
      frozen = 0;
      return 0;
    }
  frozen = 1;
  return 1;
}

static int claim(int part) {
#ifdef FIXED
  claimed[part] = 1;
  if (!frozen)
    return 1;
  claimed[part] = 0;
  return 0;
#else
  if (frozen)
    return 0;
  claimed[part] = 1;
  return 1;
#endif
}

static void *freezer(void *arg) {
  if (freeze())
    for (int i = 0; i < PARTS; i++)
      violations += claimed[i] == 2;
  record(1);
  record(2);
  return arg;
}

static void *claimer(void *id) {
  int part = (int)(size_t)id - 1;
  if (claim(part))
    claimed[part] = 2;
  record(3);
  record(4);
  return 0;
}

int main(void) {
  RUN(freezer, claimer, claimer, claimer);
  for (int i = 0; i < PARTS; i++)
    assert(!(frozen && claimed[i] == 2));
  return 0;
}
