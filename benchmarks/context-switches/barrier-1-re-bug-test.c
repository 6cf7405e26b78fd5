// A correct auto-resetting barrier with a bug in the test: the count is looked
// at again while others may already be in the next round.
#include <assert.h>
#include "barrier-1-re.h"

#define THREADS 3
#define ROUNDS 2

static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *thread(void *arg) {
  for (int round = 1; round <= ROUNDS; round++) {
    pthread_mutex_lock(&count_mutex);
    count++;
    pthread_mutex_unlock(&count_mutex);
    barrier(THREADS);
    pthread_mutex_lock(&count_mutex);
    assert(count == round * THREADS);
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
