// Another buggy auto-resetting barrier: the last thread to leave resets it, but
// until then a thread that waits for the barrier again walks straight through.
// The threads run forever and count in 32 bits.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int inside, is_open;
static pthread_mutex_t count_mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  if (++inside == THREADS) {
    is_open = 1;
    pthread_cond_broadcast(&opened);
  }
  while (!is_open)
    pthread_cond_wait(&opened, &mutex);
  if (--inside == 0)
    is_open = 0;
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *arg) {
  for (unsigned round = 1;; round++) {
    pthread_mutex_lock(&count_mutex);
    count++;
    pthread_mutex_unlock(&count_mutex);
    barrier();
    pthread_mutex_lock(&count_mutex);
    assert(count == round * THREADS);
    pthread_mutex_unlock(&count_mutex);
    barrier();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < THREADS - 1; i++)
    pthread_create(&t, 0, thread, 0);
  thread(0);
  return 0;
}
