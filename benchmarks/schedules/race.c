// Two producers and two consumers that look at the count before they take the lock
// (Figure 9a): two consumers may both find the last item. The count is volatile, or a compiler
// reads it once: nothing orders these accesses, so that it need not notice that others write it.
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
volatile int count;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *produce(void *unused) {
  FOREVER {
    int item = tp_nondet_int();
    if (count < SIZE) {
      pthread_mutex_lock(&mutex);
      assert(count < SIZE);
      stack[count] = item;
      count++;
      pthread_mutex_unlock(&mutex);
      tp_progress();
    }
  }
  return unused;
}

void *consume(void *unused) {
  FOREVER {
    if (count > 0) {
      pthread_mutex_lock(&mutex);
      assert(count > 0);
      count--;
      int item = stack[count];
      pthread_mutex_unlock(&mutex);
      (void)item;
      tp_progress();
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, produce, 0);
  for (int i = 2; i < 4; i++) pthread_create(&threads[i], 0, consume, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
