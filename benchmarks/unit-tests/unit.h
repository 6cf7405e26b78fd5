// What the unit tests share: threads are started together, and each hands its
// results to a common log that the test looks at when all have ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void *(*body)(void *);

static void run_all(const body *bodies, int count) {
  pthread_t threads[8];
  for (int i = 0; i < count; i++)
    pthread_create(&threads[i], 0, bodies[i], (void *)(size_t)i);
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], 0);
}

// Runs one thread for each body and waits for all. A body's argument is its
// position in the list.
#define RUN(...) \
  run_all((const body[]){__VA_ARGS__}, (int)(sizeof((const body[]){__VA_ARGS__}) / sizeof(body)))

static atomic_int logged;
static int results[64];

static void record(int result) {
  results[atomic_fetch_add(&logged, 1)] = result;
}

static int count_of(int result) {
  int count = 0;
  for (int i = 0; i < logged; i++)
    count += results[i] == result;
  return count;
}
