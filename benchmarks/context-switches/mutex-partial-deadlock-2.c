// Four threads lock two of three mutexes in endless loops, change a variable
// and unlock them; a fifth one runs on its own. The last thread to start takes
// its mutexes the other way round: it can wait in a circle with one other
// thread or with two.
#include <pthread.h>

#ifndef MODULUS
#define MODULUS 3
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static volatile int i, j;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    i = (i + 1) % MODULUS;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
}

static void *ab(void *arg) {
  both(&a, &b);
  return arg;
}

static void *bc(void *arg) {
  both(&b, &c);
  return arg;
}

static void *ac(void *arg) {
  both(&a, &c);
  return arg;
}

static void *ca(void *arg) {
  both(&c, &a);
  return arg;
}

static void *other(void *arg) {
  for (;;)
    j = (j + 1) % MODULUS;
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, other, 0);
  pthread_create(&t[1], 0, ab, 0);
  pthread_create(&t[2], 0, bc, 0);
  pthread_create(&t[3], 0, ac, 0);
  ca(0);
  return 0;
}
