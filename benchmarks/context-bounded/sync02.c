// A producer fills a one-place store ITEMS times, a consumer empties it; two
// conditions say when. With -DBAD the producer starts although the place is
// taken, and the consumer finds the sum wrong.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef ITEMS
#define ITEMS 20
#endif

static int taken, place, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
#ifdef BAD
    if (taken && i > 1)
#else
    while (taken)
#endif
      pthread_cond_wait(&empty, &lock);
    taken = 1;
    place = i;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *consume(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (!taken)
      pthread_cond_wait(&full, &lock);
    assert(place == i);
    sum += place;
    taken = 0;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  assert(sum == ITEMS * (ITEMS - 1) / 2);
  return 0;
}
