// Two threads change two variables under two locks ROUNDS times; at the end
// one of two sums must have come about. With -DBAD one sum is forgotten.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 20
#endif

static int first = 10, second = 10;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&first_lock);
    first += 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second += 1;
    pthread_mutex_unlock(&second_lock);
  }
  return arg;
}

static void *multiply(void *arg) {
  pthread_mutex_lock(&first_lock);
  first *= 2;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  second *= 2;
  pthread_mutex_unlock(&second_lock);
  return arg;
}

int main(void) {
  pthread_t adder, multiplier;
  pthread_create(&adder, 0, add, 0);
  pthread_create(&multiplier, 0, multiply, 0);
  pthread_join(adder, 0);
  pthread_join(multiplier, 0);
#ifdef BAD
  assert(first != 20 + ROUNDS || second != 20 + 2 * ROUNDS);
#else
  assert(first >= 20 + ROUNDS && first <= 20 + 2 * ROUNDS);
  assert(second >= 20 + ROUNDS && second <= 20 + 2 * ROUNDS);
#endif
  return 0;
}
