// SET threads write two variables one after the other, CHECK threads read them
// both. With -DBAD nothing keeps a reader from coming between the two writes;
// otherwise one lock does.
#include <assert.h>
#include <pthread.h>

#ifndef SET
#define SET 2
#endif
#ifndef CHECK
#define CHECK 1
#endif

static volatile int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifndef BAD
  pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifndef BAD
  pthread_mutex_unlock(&lock);
#endif
}

static void *set(void *arg) {
  enter();
  a = 1;
  b = -1;
  leave();
  return arg;
}

static void *check(void *arg) {
  enter();
  int first = a;
  int second = b;
  leave();
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
  return arg;
}

int main(void) {
  pthread_t setters[SET], checkers[CHECK];
  for (int i = 0; i < SET; i++)
    pthread_create(&setters[i], 0, set, 0);
  for (int i = 0; i < CHECK; i++)
    pthread_create(&checkers[i], 0, check, 0);
  for (int i = 0; i < SET; i++)
    pthread_join(setters[i], 0);
  for (int i = 0; i < CHECK; i++)
    pthread_join(checkers[i], 0);
  return 0;
}
