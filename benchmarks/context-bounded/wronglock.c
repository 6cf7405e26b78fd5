// FIRST threads increment a counter under one lock and check that nobody came
// between; SECOND threads increment it too, with -DBAD under another lock.
#include <assert.h>
#include <pthread.h>

#ifndef FIRST
#define FIRST 1
#endif
#ifndef SECOND
#define SECOND 3
#endif

static int counter;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg) {
  pthread_mutex_lock(&right);
  int before = counter;
  counter++;
  assert(counter == before + 1);
  pthread_mutex_unlock(&right);
  return arg;
}

static void *other(void *arg) {
#ifdef BAD
  pthread_mutex_t *lock = &wrong;
#else
  pthread_mutex_t *lock = &right;
#endif
  pthread_mutex_lock(lock);
  counter++;
  pthread_mutex_unlock(lock);
  return arg;
}

int main(void) {
  pthread_t first[FIRST], second[SECOND];
  for (int i = 0; i < FIRST; i++)
    pthread_create(&first[i], 0, careful, 0);
  for (int i = 0; i < SECOND; i++)
    pthread_create(&second[i], 0, other, 0);
  for (int i = 0; i < FIRST; i++)
    pthread_join(first[i], 0);
  for (int i = 0; i < SECOND; i++)
    pthread_join(second[i], 0);
  return 0;
}
