// Task-parallel search for the ways to place four queens; a worker ends when no
// task is outstanding.
// kind: assertion
// bug: a task counts as done before its children are counted. A worker that
// looks in between takes the search for finished.
#include "unit.h"

#define SIZE 4
#define SOLUTIONS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int tasks[32], top;
static atomic_int outstanding, solutions;

// A task is a partial placement, three bits for each row, below a leading one.
static void push(int task) {
  pthread_mutex_lock(&mutex);
  tasks[top++] = task;
  pthread_mutex_unlock(&mutex);
}

static int pop(void) {
  pthread_mutex_lock(&mutex);
  int task = top > 0 ? tasks[--top] : 0;
  pthread_mutex_unlock(&mutex);
  return task;
}

static int fits(int task, int column) {
  for (int distance = 1; task > 1; task >>= 3, distance++) {
    int other = task & 7;
    if (other == column || other == column + distance || other == column - distance)
      return 0;
  }
  return 1;
}

static void execute(int task) {
#ifndef FIXED
  outstanding--;
#endif
  for (int column = 0; column < SIZE; column++) {
    if (!fits(task, column))
      continue;
    int child = task << 3 | column;
    if (child >> 3 * SIZE) {
      solutions++;
    } else {
      outstanding++;
      push(child);
    }
  }
#ifdef FIXED
  outstanding--;
#endif
}

static void *worker(void *arg) {
  while (outstanding > 0) {
    int task = pop();
    if (task)
      execute(task);
  }
  record(solutions == SOLUTIONS);
  return arg;
}

int main(void) {
  outstanding = 1;
  push(1);
  RUN(worker, worker);
  assert(solutions == SOLUTIONS && count_of(1) == 2);
  return 0;
}
