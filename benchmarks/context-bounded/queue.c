// One thread enqueues AMOUNT inputs in a first-in-first-out queue and keeps a
// copy, the other dequeues and compares. Two flags under the lock hand over
// the turn. With -DBAD the enqueuer forgets to hand over and both go on.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef AMOUNT
#define AMOUNT 20
#endif

static int elements[AMOUNT];
static int copies[AMOUNT];
static int head, tail, amount;
static int enqueuing = 1, dequeuing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enqueue(int value) {
  assert(amount < AMOUNT);
  elements[tail] = value;
  tail = (tail + 1) % AMOUNT;
  amount++;
}

static int dequeue(void) {
  assert(amount > 0);
  int value = elements[head];
  head = (head + 1) % AMOUNT;
  amount--;
  return value;
}

static void *fill(void *arg) {
  pthread_mutex_lock(&lock);
  if (enqueuing) {
    for (int i = 0; i < AMOUNT; i++) {
      copies[i] = tp_nondet_int();
      enqueue(copies[i]);
#ifdef BAD
      pthread_mutex_unlock(&lock);
      pthread_mutex_lock(&lock);
      dequeuing = 1;
#endif
    }
    enqueuing = 0;
    dequeuing = 1;
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *drain(void *arg) {
  pthread_mutex_lock(&lock);
  if (dequeuing) {
    for (int i = 0; i < AMOUNT; i++) {
      assert(dequeue() == copies[i]);
    }
    dequeuing = 0;
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t filler, drainer;
  pthread_create(&filler, 0, fill, 0);
  pthread_create(&drainer, 0, drain, 0);
  pthread_join(filler, 0);
  pthread_join(drainer, 0);
  return 0;
}
