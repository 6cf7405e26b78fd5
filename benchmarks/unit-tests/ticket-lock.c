// A ticket lock with an attempt that does not wait.
// kind: livelock
// bug: the attempt draws a ticket after it has seen the lock free. If another
// one draws first, the ticket is thrown away and its turn never ends.
#include "unit.h"

static atomic_int next_ticket, serving;
static atomic_int value;

static void lock(void) {
  int ticket = atomic_fetch_add(&next_ticket, 1);
  while (serving != ticket)
    ;
}

static int try_lock(void) {
  int ticket = serving;
#ifdef FIXED
  return atomic_compare_exchange_strong(&next_ticket, &ticket, ticket + 1);
#else
  if (next_ticket != ticket)
    return 0;
  return atomic_fetch_add(&next_ticket, 1) == ticket;
#endif
}

static void unlock(void) {
  serving++;
}

static void *polite(void *arg) {
  if (try_lock()) {
    value++;
    unlock();
  }
  record(1);
  record(2);
  return arg;
}

static void *patient(void *arg) {
  for (int i = 0; i < 2; i++) {
    lock();
    value++;
    unlock();
  }
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(polite, patient, patient);
  assert(value >= 4);
  return 0;
}
