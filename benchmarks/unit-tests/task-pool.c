// A pool of two workers on one stack of tasks; a task may start a child and wait
// for it.
// kind: deadlock
// bug: waiting occupies a worker. If each worker has a parent before either has
// started its child, nobody is left for the children.
#include "unit.h"

#define PARENTS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks[8], top, finished[4];

// Tasks 1 and 2 are parents, task 2 + n is the child of n.
static void push(int task) {
  pthread_mutex_lock(&mutex);
  tasks[top++] = task;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static int all_finished(void) {
  return finished[0] && finished[1] && finished[2] && finished[3];
}

// The next task, or 0 if task `until` is finished.
static int next_task(int until) {
  int task = 0;
  pthread_mutex_lock(&mutex);
  while (top == 0 && !(until ? finished[until - 1] : all_finished()))
    pthread_cond_wait(&changed, &mutex);
  if (!(until && finished[until - 1]) && top > 0)
    task = tasks[--top];
  pthread_mutex_unlock(&mutex);
  return task;
}

static void finish(int task) {
  pthread_mutex_lock(&mutex);
  finished[task - 1] = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void execute(int task);

static void wait_for(int child) {
#ifdef FIXED
  for (int task; (task = next_task(child));)
    execute(task);
#else
  pthread_mutex_lock(&mutex);
  while (!finished[child - 1])
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
#endif
}

static void execute(int task) {
  if (task <= PARENTS) {
    push(task + PARENTS);
    wait_for(task + PARENTS);
  }
  finish(task);
}

static void *worker(void *arg) {
  for (int task; (task = next_task(0));)
    execute(task);
  record(1);
  record(2);
  return arg;
}

static void *submitter(void *arg) {
  record(3);
  record(4);
  return arg;
}

int main(void) {
  push(1);
  push(2);
  RUN(worker, worker, submitter);
  assert(top == 0);
  return 0;
}
