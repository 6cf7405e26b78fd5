// A thread waits at a fence until its buffer is empty and fails directly afterwards.
// expect: assert=unsafe
// tso: assert=unsafe
// pso: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *thread0(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  assert(unused); //~ assert
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread0, 0);
  pthread_join(t, 0);
  return 0;
}
