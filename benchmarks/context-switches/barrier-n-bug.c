// A barrier with one condition variable for each thread. The bug is a typo:
// the last one to arrive signals the same variable each time.
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open[THREADS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
                                       PTHREAD_COND_INITIALIZER};
static int arrived, is_open;

static void barrier(int id) {
  pthread_mutex_lock(&mutex);
  if (++arrived == THREADS) {
    is_open = 1;
    for (int i = 0; i < THREADS; i++)
      pthread_cond_signal(&open[0]); // should be open[i]
  }
  while (!is_open)
    pthread_cond_wait(&open[id], &mutex);
  pthread_mutex_unlock(&mutex);
}

static int ids[THREADS] = {0, 1, 2};

static void *thread(void *arg) {
  barrier(*(int *)arg);
  return arg;
}

int main(void) {
  pthread_t t[THREADS - 1];
  for (int i = 0; i < THREADS - 1; i++)
    pthread_create(&t[i], 0, thread, &ids[i]);
  thread(&ids[THREADS - 1]);
  for (int i = 0; i < THREADS - 1; i++)
    pthread_join(t[i], 0);
  return 0;
}
