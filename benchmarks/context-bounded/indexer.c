// THREADS threads insert messages into one hash table by compare-and-exchange;
// up to 11 threads never meet. With -DBAD the table is one place too short for
// the hash.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 13
#endif
#define SIZE 128
#define MESSAGES 4

#ifdef BAD
static _Atomic int table[SIZE - 1];
#else
static _Atomic int table[SIZE];
#endif

static void *insert(void *arg) {
  int thread = (int)(long)arg;
  for (int message = 1; message <= MESSAGES; message++) {
    int word = message * 11 + thread;
    int place = (word * 7) % SIZE;
    int empty = 0;
    while (!__c11_atomic_compare_exchange_strong(&table[place], &empty, word, __ATOMIC_SEQ_CST,
                                                 __ATOMIC_SEQ_CST)) {
      assert(empty != 0);
      place = (place + 1) % SIZE;
      empty = 0;
    }
  }
  return arg;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, insert, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
