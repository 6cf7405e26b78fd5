// A counting semaphore that takes no lock while permits are left: three
// threads, two permits.
// kind: assertion
// bug: the fast path looks at the count and decrements it in two steps; all
// three can be inside.
#include "unit.h"

#define PERMITS 2

static atomic_int count = PERMITS;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static atomic_int inside;

static int try_enter(void) {
#ifdef FIXED
  int seen = count;
  while (seen > 0)
    if (atomic_compare_exchange_strong(&count, &seen, seen - 1))
      return 1;
  return 0;
#else
  if (count <= 0)
    return 0;
  atomic_fetch_sub(&count, 1);
  return 1;
#endif
}

static void enter(void) {
  if (try_enter())
    return;
  pthread_mutex_lock(&mutex);
  while (!try_enter())
    pthread_cond_wait(&released, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void leave(void) {
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&count, 1);
  pthread_cond_signal(&released);
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg) {
  enter();
  assert(atomic_fetch_add(&inside, 1) < PERMITS);
  atomic_fetch_sub(&inside, 1);
  leave();
  record(1);
  record(2);
  return arg;
}

int main(void) {
  RUN(worker, worker, worker);
  assert(count == PERMITS);
  return 0;
}
