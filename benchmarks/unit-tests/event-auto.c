// An auto-reset event lets exactly one thread through each time it is set; here
// it guards a section.
// kind: assertion
// bug: the fast path looks and resets in two steps, so two threads can get
// through at once.
#include "unit.h"

static atomic_int set = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int inside;

static int try_pass(void) {
#ifdef FIXED
  return atomic_exchange(&set, 0);
#else
  if (!set)
    return 0;
  set = 0;
  return 1;
#endif
}

static void event_wait(void) {
  if (try_pass())
    return;
  pthread_mutex_lock(&mutex);
  while (!try_pass())
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void event_set(void) {
  pthread_mutex_lock(&mutex);
  set = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg) {
  event_wait();
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  event_set();
  record(1);
  record(2);
  record(3);
  return arg;
}

int main(void) {
  RUN(worker, worker, worker);
  assert(set);
  return 0;
}
