// A future with continuations: what is attached before completion runs at
// completion, what is attached later runs at once.
// kind: assertion
// bug: attaching looks whether the future is complete before it takes the lock.
// A continuation attached during completion never runs.
#include "unit.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int complete, attached, ran;

static void then_run(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  int now = complete;
#else
  int now = complete;
  pthread_mutex_lock(&mutex);
#endif
  if (now)
    ran++;
  else
    attached++;
  pthread_mutex_unlock(&mutex);
}

static void set_result(void) {
  pthread_mutex_lock(&mutex);
  complete = 1;
  for (; attached > 0; attached--)
    ran++;
  pthread_mutex_unlock(&mutex);
}

static void *client(void *arg) {
  then_run();
  record(1);
  then_run();
  record(2);
  record(3);
  return arg;
}

static void *completer(void *arg) {
  record(4);
  set_result();
  record(5);
  return arg;
}

int main(void) {
  RUN(client, client, completer);
  assert(ran == 4);
  return 0;
}
