// THREADS threads increment one shared variable STATEMENTS times each. As in
// the original, a statement is one step. The value at the start is an input.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STATEMENTS
#define STATEMENTS 100
#endif

static _Atomic unsigned x;

static void *increment(void *arg) {
  for (int i = 0; i < STATEMENTS; i++)
    x++;
  return arg;
}

int main(void) {
  unsigned start = tp_nondet_uint();
  x = start;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
#ifdef BAD
  assert(x - start != THREADS * STATEMENTS);
#else
  assert(x - start == THREADS * STATEMENTS);
#endif
  return 0;
}
