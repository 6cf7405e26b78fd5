// A manual-reset event: waiting costs no lock if the event is set, setting costs
// none if nobody waits.
// kind: deadlock
// bug: who waits looks at the event before it is counted as waiting. If the
// event is set in between, nobody wakes it.
#include "unit.h"

static atomic_int set, waiting;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void event_set(void) {
  set = 1;
  if (waiting > 0) {
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
}

static void event_wait(void) {
  if (set)
    return;
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  waiting++;
  while (!set)
    pthread_cond_wait(&changed, &mutex);
  waiting--;
#else
  while (!set) {
    waiting++;
    pthread_cond_wait(&changed, &mutex);
    waiting--;
  }
#endif
  pthread_mutex_unlock(&mutex);
}

static void *waiter(void *arg) {
  event_wait();
  record(1);
  record(2);
  return arg;
}

static void *setter(void *arg) {
  record(3);
  event_set();
  record(4);
  return arg;
}

int main(void) {
  RUN(waiter, waiter, waiter, setter);
  assert(logged == 8);
  return 0;
}
