// A read-write lock (mutex and condition) whose readers can become writers.
// kind: deadlock
// bug: two readers may both ask to become the writer, and each waits for the
// other to stop reading.
#include "unit.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, upgrading, writing, value;

// With `intent` the caller may upgrade later.
static void read_lock(int intent) {
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  while (writing || (intent && upgrading))
    pthread_cond_wait(&changed, &mutex);
  upgrading |= intent;
#else
  while (writing)
    pthread_cond_wait(&changed, &mutex);
#endif
  readers++;
  pthread_mutex_unlock(&mutex);
}

static void upgrade(void) {
  pthread_mutex_lock(&mutex);
  while (readers > 1)
    pthread_cond_wait(&changed, &mutex);
  readers--;
  writing = 1;
  pthread_mutex_unlock(&mutex);
}

static void unlock(void) {
  pthread_mutex_lock(&mutex);
  if (writing)
    writing = upgrading = 0;
  else
    readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void *updater(void *arg) {
  read_lock(1);
  int seen = value;
  upgrade();
  value = seen + 1;
  unlock();
  record(1);
  record(2);
  return arg;
}

static void *reader(void *arg) {
  read_lock(0);
  record(value >= 0);
  unlock();
  record(3);
  return arg;
}

int main(void) {
  RUN(updater, updater, reader);
  assert(value == 2);
  return 0;
}
