// Searches files for a text in the manner of pfscan: main reads the names of files and puts them
// into a bounded queue, workers take them out, search the files and print what they found. The
// text and the names of the files are the lines of the standard input.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#define SLOTS 4
#define LENGTH 32

struct task {
  char path[LENGTH];
};

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t filled, freed;
  struct task tasks[SLOTS];
  int first, count, closed;
};

struct totals {
  pthread_mutex_t mutex;
  unsigned long files, unread, matches;
};

static struct queue queue = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};
static struct totals totals = {.mutex = PTHREAD_MUTEX_INITIALIZER};
static char wanted[LENGTH];

// How often a text occurs in a file.
unsigned long scan(int file, const char *text);

static void put(struct queue *queue, const struct task *task) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == SLOTS) pthread_cond_wait(&queue->freed, &queue->mutex);
  assert(queue->count < SLOTS);
  queue->tasks[(queue->first + queue->count) % SLOTS] = *task;
  queue->count++;
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->mutex);
}

// Says whether there was a task.
static int take(struct queue *queue, struct task *task) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == 0 && !queue->closed) pthread_cond_wait(&queue->filled, &queue->mutex);
  int found = queue->count > 0;
  if (found) {
    assert(queue->count <= SLOTS);
    *task = queue->tasks[queue->first];
    queue->first = (queue->first + 1) % SLOTS;
    queue->count--;
    pthread_cond_signal(&queue->freed);
  }
  pthread_mutex_unlock(&queue->mutex);
  return found;
}

// There will be no more tasks.
static void close_queue(struct queue *queue) {
  pthread_mutex_lock(&queue->mutex);
  queue->closed = 1;
  pthread_cond_broadcast(&queue->filled);
  pthread_mutex_unlock(&queue->mutex);
}

static void tell(const struct task *task, int readable, unsigned long matches) {
  pthread_mutex_lock(&totals.mutex);
  if (readable) {
    printf("%s: %lu\n", task->path, matches);
    totals.files++;
    totals.matches += matches;
  } else {
    totals.unread++;
  }
  pthread_mutex_unlock(&totals.mutex);
}

static void *work(void *unused) {
  struct task task;
  while (take(&queue, &task)) {
    int file = open(task.path, O_RDONLY);
    unsigned long matches = file >= 0 ? scan(file, wanted) : 0;
    if (file >= 0) close(file);
    tell(&task, file >= 0, matches);
  }
  return unused;
}

// Reads a line of the standard input without its end.
static int read_line(char *line) {
  if (!fgets(line, LENGTH, stdin)) return 0;
  line[strcspn(line, "\n")] = 0;
  return 1;
}

int main(void) {
  pthread_t workers[WORKERS];
  struct task task;
  if (!read_line(wanted) || !wanted[0]) return 2;
  for (int i = 0; i < WORKERS; i++)
    if (pthread_create(&workers[i], 0, work, 0) != 0) abort();
  while (read_line(task.path)) put(&queue, &task);
  close_queue(&queue);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  assert(queue.count == 0);
  printf("%lu files, %lu matches, %lu files not read\n", totals.files, totals.matches, totals.unread);
  return totals.unread != 0;
}
