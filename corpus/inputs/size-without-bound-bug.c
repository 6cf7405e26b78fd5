// As many threads as an input says, in memory of that size: two of them write the same element.
// expect: race=unsafe
// inputs: too many
#include <pthread.h>
#include <stdlib.h>
#include <threadproof.h>

int *results;

void *work(void *arg) {
  results[(long)arg / 2] = 1;  //~ race
  return 0;
}

int main(void) {
  int total = tp_nondet_int();
  if (total < 0) exit(0);
  pthread_t *threads = malloc(total * sizeof *threads);
  results = malloc(total * sizeof *results);
  for (long i = 0; i < total; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < total; i++) pthread_join(threads[i], 0);
  free(threads);
  free(results);
  return 0;
}
