// A correct one-time barrier with one condition variable.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static int arrived;

static void barrier(void) {
  pthread_mutex_lock(&mutex);
  if (++arrived == THREADS)
    pthread_cond_broadcast(&open);
  while (arrived < THREADS)
    pthread_cond_wait(&open, &mutex);
  assert(arrived == THREADS);
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *arg) {
  barrier();
  return arg;
}

int main(void) {
  pthread_t t[THREADS - 1];
  for (int i = 0; i < THREADS - 1; i++)
    pthread_create(&t[i], 0, thread, 0);
  barrier();
  for (int i = 0; i < THREADS - 1; i++)
    pthread_join(t[i], 0);
  return 0;
}
