// A producer puts ITEMS inputs into a ring of SIZE places, a consumer takes
// them out and finds what was put in. With -DBAD the indices wrap one place
// too early for the count that guards them.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef SIZE
#define SIZE 8
#endif
#ifndef ITEMS
#define ITEMS 8
#endif

static int ring[SIZE];
static int sent[ITEMS];
static unsigned first, next, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int insert(int value) {
  if (count == SIZE)
    return 0;
  ring[next] = value;
#ifdef BAD
  next = (next + 1) % (SIZE - 1);
#else
  next = (next + 1) % SIZE;
#endif
  count++;
  return 1;
}

static int take(int *value) {
  if (count == 0)
    return 0;
  *value = ring[first];
  first = (first + 1) % SIZE;
  count--;
  return 1;
}

static void *produce(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    sent[i] = tp_nondet_int();
    int done = insert(sent[i]);
    pthread_mutex_unlock(&lock);
    if (!done)
      break;
  }
  return arg;
}

static void *consume(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    int value = 0;
    pthread_mutex_lock(&lock);
    int done = take(&value);
    if (done)
      assert(value == sent[i]);
    pthread_mutex_unlock(&lock);
    if (!done)
      break;
  }
  return arg;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
