// An auto-resetting barrier with one condition variable: the last thread to
// arrive opens it for this round and closes it for the next.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open = PTHREAD_COND_INITIALIZER;
static int arrived;
static unsigned char turn;

static void barrier(int threads) {
  pthread_mutex_lock(&mutex);
  unsigned char mine = turn;
  if (++arrived == threads) {
    arrived = 0;
    turn ^= 1;
    pthread_cond_broadcast(&open);
  }
  while (mine == turn)
    pthread_cond_wait(&open, &mutex);
  pthread_mutex_unlock(&mutex);
}
