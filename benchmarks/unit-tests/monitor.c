// A monitor: a buffer of one place, two producers, two consumers, one condition
// for all.
// kind: deadlock
// bug: it wakes one thread where it should wake all. The one may be of the kind
// that cannot go on either.
#include "unit.h"

#define ITEMS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void notify(void) {
#ifdef FIXED
  pthread_cond_broadcast(&changed);
#else
  pthread_cond_signal(&changed);
#endif
}

static void put(void) {
  pthread_mutex_lock(&mutex);
  while (full)
    pthread_cond_wait(&changed, &mutex);
  full = 1;
  notify();
  pthread_mutex_unlock(&mutex);
}

static void get(void) {
  pthread_mutex_lock(&mutex);
  while (!full)
    pthread_cond_wait(&changed, &mutex);
  full = 0;
  notify();
  pthread_mutex_unlock(&mutex);
}

static void *producer(void *arg) {
  for (int i = 0; i < ITEMS; i++)
    put();
  record(1);
  record(2);
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 0; i < ITEMS; i++)
    get();
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(consumer, producer, consumer, producer);
  assert(!full);
  return 0;
}
