// Producers and consumers of one stack under a lock (Figure 13). PRODUCERS, CONSUMERS and
// SIZE say how many there are and how large the stack is.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef SIZE
#define SIZE 1000
#endif

int stack[SIZE];
int count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int push(int item) {
  if (count == SIZE) return 0;
  stack[count] = item;
  count++;
  return 1;
}

int pop(int *item) {
  if (count == 0) return 0;
  count--;
  *item = stack[count];
  return 1;
}

void *produce(void *unused) {
  FOREVER {
    int item = tp_nondet_int();
    pthread_mutex_lock(&mutex);
    if (count != SIZE) {
      int done = push(item);
      assert(done);
      tp_progress();
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

void *consume(void *unused) {
  FOREVER {
    pthread_mutex_lock(&mutex);
    if (count > 0) {
      int item;
      int done = pop(&item);
      assert(done);
      tp_progress();
    }
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], 0, produce, 0);
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&threads[PRODUCERS + i], 0, consume, 0);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], 0);
  return 0;
}
