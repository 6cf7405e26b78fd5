// A producer and a consumer that take turns by luck only (Figure 1): the stack overflows
// or runs empty under most schedules.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

#define SIZE 5

int stack[SIZE];
int count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *produce(void *unused) {
  FOREVER {
    int item = tp_nondet_int();
    pthread_mutex_lock(&mutex);
    assert(count < SIZE);
    stack[count] = item;
    count++;
    pthread_mutex_unlock(&mutex);
    tp_progress();
  }
  return unused;
}

void *consume(void *unused) {
  FOREVER {
    pthread_mutex_lock(&mutex);
    assert(count > 0);
    count--;
    int item = stack[count];
    pthread_mutex_unlock(&mutex);
    (void)item;
    tp_progress();
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
