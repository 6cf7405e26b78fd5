// Threads in a ring: each tells its neighbour in one phase and listens in the next. Two
// barriers keep the phases apart.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

#ifndef THREADS
#define THREADS 2
#endif

pthread_barrier_t told, heard;
int cell[THREADS];

static void go_round(int self) {
  int value = 0;
  FOREVER {
    cell[self] = value;
    pthread_barrier_wait(&told);
    int next = self + 1 == THREADS ? 0 : self + 1;
    assert(cell[next] == value);
    pthread_barrier_wait(&heard);
    value = !value;
    tp_progress();
  }
}

void *first(void *unused) {
  go_round(0);
  return unused;
}

void *second(void *unused) {
  go_round(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&told, 0, THREADS);
  pthread_barrier_init(&heard, 0, THREADS);
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
