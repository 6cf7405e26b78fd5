// A bounded blocking collection: consumers wait for items until adding is
// declared complete.
// kind: deadlock
// bug: declaring it complete takes no lock. A consumer that has just seen that
// more may come goes to sleep after the wake-up call.
#include "unit.h"

#define CAPACITY 2
#define ITEMS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int count;
static atomic_int complete, consumed;

static void add(void) {
  pthread_mutex_lock(&mutex);
  while (count == CAPACITY)
    pthread_cond_wait(&not_full, &mutex);
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0 && !complete)
    pthread_cond_wait(&not_empty, &mutex);
  int found = count > 0;
  count -= found;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return found;
}

static void complete_adding(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  complete = 1;
  pthread_cond_broadcast(&not_empty);
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void *consumer(void *arg) {
  while (take())
    consumed++;
  record(1);
  record(2);
  return arg;
}

static void *producer(void *arg) {
  for (int i = 0; i < ITEMS; i++)
    add();
  complete_adding();
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(consumer, consumer, producer);
  assert(consumed == ITEMS);
  return 0;
}
