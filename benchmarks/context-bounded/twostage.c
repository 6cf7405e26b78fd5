// STAGE threads publish a value in two stages, each under its own lock; READ
// threads look at both stages. With -DBAD a reader may find the first stage
// done and the second not; otherwise it waits for neither or sees both, since
// the writer holds the first lock until the second stage is done.
#include <assert.h>
#include <pthread.h>

#ifndef STAGE
#define STAGE 2
#endif
#ifndef READ
#define READ 1
#endif

static int first, second;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *arg) {
  pthread_mutex_lock(&first_lock);
  first = 1;
#ifdef BAD
  pthread_mutex_unlock(&first_lock);
#endif
  pthread_mutex_lock(&second_lock);
  second = first + 1;
  pthread_mutex_unlock(&second_lock);
#ifndef BAD
  pthread_mutex_unlock(&first_lock);
#endif
  return arg;
}

static void *read_both(void *arg) {
  pthread_mutex_lock(&first_lock);
  int seen = first;
  pthread_mutex_unlock(&first_lock);
  if (seen == 0)
    return arg;
  pthread_mutex_lock(&second_lock);
  int last = second;
  pthread_mutex_unlock(&second_lock);
  assert(last == seen + 1);
  return arg;
}

int main(void) {
  pthread_t writers[STAGE], readers[READ];
  for (int i = 0; i < STAGE; i++)
    pthread_create(&writers[i], 0, publish, 0);
  for (int i = 0; i < READ; i++)
    pthread_create(&readers[i], 0, read_both, 0);
  for (int i = 0; i < STAGE; i++)
    pthread_join(writers[i], 0);
  for (int i = 0; i < READ; i++)
    pthread_join(readers[i], 0);
  return 0;
}
