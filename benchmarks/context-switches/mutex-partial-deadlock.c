// Three threads take two of three mutexes each, in a circle, and can wait for
// one another forever. A fourth thread changes a variable in an endless loop
// and holds no lock: the deadlock is a local one.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static volatile int i;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *ab(void *arg) {
  both(&a, &b);
  return arg;
}

static void *bc(void *arg) {
  both(&b, &c);
  return arg;
}

static void *ca(void *arg) {
  both(&c, &a);
  return arg;
}

static void *other(void *arg) {
  for (;;)
    i = (i + 1) % 3;
  return arg;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, ab, 0);
  pthread_create(&t[1], 0, bc, 0);
  pthread_create(&t[2], 0, ca, 0);
  pthread_create(&t[3], 0, other, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return 0;
}
