// A one-time barrier with one condition variable. The bug: pthread_cond_wait
// does not stand in a loop, so a spurious wake-up lets a thread through early.
#include <assert.h>
#include <pthread.h>

#define THREADS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static int arrived;

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  if (++arrived == THREADS)
    pthread_cond_broadcast(&open);
  else
    pthread_cond_wait(&open, &mutex);
  assert(arrived == THREADS);
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *arg) {
  barrier();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  barrier();
  pthread_join(t, 0);
  return 0;
}
