// One thread pushes SIZE inputs, the other pops as many as there are. With
// -DBAD the flag that says that something was pushed is looked at once, before
// the loop and outside the lock.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef SIZE
#define SIZE 5
#endif

static unsigned values[SIZE];
static unsigned top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int pushed;

static void push(unsigned value) {
  assert(top < SIZE);
  values[top++] = value;
}

static unsigned pop(void) {
  assert(top > 0);
  return values[--top];
}

static void *pusher(void *arg) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    unsigned value = tp_nondet_uint();
    push(value % 10);
    pushed = 1;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *popper(void *arg) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
#ifdef BAD
    int any = pushed;
#else
    int any = top > 0;
#endif
    if (any)
      assert(pop() < 10);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t push_thread, pop_thread;
  pthread_create(&push_thread, 0, pusher, 0);
  pthread_create(&pop_thread, 0, popper, 0);
  pthread_join(push_thread, 0);
  pthread_join(pop_thread, 0);
  return 0;
}
