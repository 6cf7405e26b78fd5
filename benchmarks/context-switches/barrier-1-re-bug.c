// A buggy auto-resetting barrier: each thread that leaves counts itself out,
// but the reset wants one more than can ever leave, so it cannot happen. The
// barrier stays locked after its first use: the threads wait for it forever.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
#define ROUNDS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int arrived, left, leaving;

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  while (leaving)
    pthread_cond_wait(&change, &mutex);
  if (++arrived == THREADS) {
    leaving = 1;
    pthread_cond_broadcast(&change);
  }
  while (!leaving)
    pthread_cond_wait(&change, &mutex);
  if (left++ == THREADS) { // should be ++left
    arrived = left = leaving = 0;
    pthread_cond_broadcast(&change);
  }
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *arg) {
  for (int round = 0; round < ROUNDS; round++)
    barrier();
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
