// Two threads take two locks in the same order; with DEADLOCK, in different ones (Figure 7).
// With SLEEP, what they do under the locks is to sleep for a millisecond.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>
#include <unistd.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

#ifdef SLEEP
void critical_section(void) {
  usleep(1000);
}
#else
int inside;

void critical_section(void) {
  inside++;
  assert(inside == 1);
  inside--;
}
#endif

void *forwards(void *unused) {
  FOREVER {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    critical_section();
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    tp_progress();
  }
  return unused;
}

void *backwards(void *unused) {
  FOREVER {
#ifdef DEADLOCK
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
#else
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
#endif
    critical_section();
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    tp_progress();
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, forwards, 0);
  pthread_create(&b, 0, backwards, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
