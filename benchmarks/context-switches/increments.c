// Four threads, three increments each that are a read and a write, on one
// counter. increments.pml is the same for Spin.
#include <pthread.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef INCREMENTS
#define INCREMENTS 3
#endif

static int counter;

static void *thread(void *arg) {
  for (int i = 0; i < INCREMENTS; i++)
    counter = counter + 1;
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], 0, thread, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], 0);
  return 0;
}
