// A bag of two lists; a balancer moves items between them, under both locks, so
// that the bag is never empty.
// kind: assertion
// bug: a thread that has found each list empty, one after the other, takes the
// bag for empty. The item has moved to the list it looked at first.
#include "unit.h"

struct list {
  pthread_mutex_t mutex;
  int count;
};

static struct list lists[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 2}};

static void lock_all(void) {
  pthread_mutex_lock(&lists[0].mutex);
  pthread_mutex_lock(&lists[1].mutex);
}

static void unlock_all(void) {
  pthread_mutex_unlock(&lists[1].mutex);
  pthread_mutex_unlock(&lists[0].mutex);
}

static int take_from(struct list *list) {
  int found = list->count > 0;
  list->count -= found;
  return found;
}

static int take_once(struct list *list) {
  pthread_mutex_lock(&list->mutex);
  int found = take_from(list);
  pthread_mutex_unlock(&list->mutex);
  return found;
}

static int try_take(void) {
  if (take_once(&lists[0]) || take_once(&lists[1]))
    return 1;
#ifdef FIXED
  lock_all();
  int found = take_from(&lists[0]) || take_from(&lists[1]);
  unlock_all();
  return found;
#else
  return 0;
#endif
}

static void put(struct list *list) {
  pthread_mutex_lock(&list->mutex);
  list->count++;
  pthread_mutex_unlock(&list->mutex);
}

static void *user(void *arg) {
  assert(try_take());
  put(&lists[1]);
  record(1);
  record(2);
  record(3);
  return arg;
}

static void *balancer(void *arg) {
  for (int round = 0; round < 2; round++) {
    lock_all();
    lists[0].count += lists[1].count;
    lists[1].count = 0;
    unlock_all();
    record(4);
  }
  record(5);
  return arg;
}

int main(void) {
  RUN(user, user, balancer);
  assert(lists[0].count + lists[1].count == 2);
  return 0;
}
