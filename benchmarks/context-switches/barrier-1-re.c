// A correct auto-resetting barrier and a correct test of it: the threads go
// through it round by round, and none is more than one round ahead.
#include <assert.h>
#include "barrier-1-re.h"

#define THREADS 3
#define ROUNDS 2

static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static int passed[ROUNDS];

static void *thread(void *arg) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&count_mutex);
    passed[round]++;
    pthread_mutex_unlock(&count_mutex);
    barrier(THREADS);
    pthread_mutex_lock(&count_mutex);
    assert(passed[round] == THREADS);
    pthread_mutex_unlock(&count_mutex);
  }
  return arg;
}

int main(void) {
  pthread_t t[THREADS - 1];
  for (int i = 0; i < THREADS - 1; i++)
    pthread_create(&t[i], 0, thread, 0);
  thread(0);
  for (int i = 0; i < THREADS - 1; i++)
    pthread_join(t[i], 0);
  return 0;
}
