// A semaphore whose waiters register themselves, so that a release of several
// permits wakes as many as it can serve.
// kind: deadlock
// bug: release counts the waiters before it takes the lock. Who starts to wait
// in between is not woken though there is a permit for it.
#include "unit.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static int permits;
static atomic_int waiting;

static void acquire(void) {
  pthread_mutex_lock(&mutex);
  waiting++;
  while (permits == 0)
    pthread_cond_wait(&released, &mutex);
  waiting--;
  permits--;
  pthread_mutex_unlock(&mutex);
}

static void release(int number) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  int wake = waiting;
#else
  int wake = waiting;
  pthread_mutex_lock(&mutex);
#endif
  permits += number;
  for (int i = 0; i < number && i < wake; i++)
    pthread_cond_signal(&released);
  pthread_mutex_unlock(&mutex);
}

static void *releaser(void *arg) {
  release(1);
  release(2);
  record(1);
  record(2);
  return arg;
}

static void *worker(void *arg) {
  acquire();
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(releaser, worker, worker, worker);
  assert(permits == 0);
  return 0;
}
