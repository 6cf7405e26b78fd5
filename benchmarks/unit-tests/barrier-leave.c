// A barrier of three parties (mutex and condition), one of which leaves after
// its first round.
// kind: deadlock
// bug: leaving looks at the number of arrivals before it takes the lock. Who
// arrives in between waits for the one that has left.
#include "unit.h"

#define ROUNDS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static atomic_int parties = 3, arrived;
static int phase;

static void open_barrier(void) {
  arrived = 0;
  phase++;
  pthread_cond_broadcast(&opened);
}

static void arrive_and_wait(void) {
  pthread_mutex_lock(&mutex);
  int mine = phase;
  if (++arrived == parties)
    open_barrier();
  while (phase == mine)
    pthread_cond_wait(&opened, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void leave(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  int last = arrived == parties - 1;
#else
  int last = arrived == parties - 1;
  pthread_mutex_lock(&mutex);
#endif
  parties--;
  if (last)
    open_barrier();
  pthread_mutex_unlock(&mutex);
}

static void *leaver(void *arg) {
  arrive_and_wait();
  leave();
  record(1);
  record(2);
  return arg;
}

static void *stayer(void *arg) {
  for (int round = 0; round < ROUNDS; round++)
    arrive_and_wait();
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(leaver, stayer, stayer);
  assert(phase == ROUNDS);
  return 0;
}
