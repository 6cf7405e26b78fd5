// A queue for one writer and one reader, as DIVINE used it between its
// threads: a linked list of blocks, each with a read and a write index. The
// writer links a new block when the last one is full; the reader frees a block
// when it has read it to its end and there is another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BLOCK 2
#ifndef ITEMS
#define ITEMS 5
#endif

struct block {
  int buffer[BLOCK];
  int read; // the reader's
  atomic_int write;
  struct block *_Atomic next;
};

static struct block *head; // the reader's
static struct block *tail; // the writer's

static struct block *new_block(void) {
  struct block *block = malloc(sizeof *block);
  block->read = 0;
  atomic_init(&block->write, 0);
  atomic_init(&block->next, 0);
  return block;
}

static void push(int item) {
  int at = atomic_load_explicit(&tail->write, memory_order_relaxed);
  if (at == BLOCK) {
    struct block *block = new_block();
    block->buffer[0] = item;
    atomic_store_explicit(&block->write, 1, memory_order_relaxed);
    atomic_store_explicit(&tail->next, block, memory_order_release);
    tail = block;
    return;
  }
  tail->buffer[at] = item;
  atomic_store_explicit(&tail->write, at + 1, memory_order_release);
}

// Whether there is nothing to read; goes on to the next block if need be.
static int empty(void);

// Reads an item; the queue is not empty.
static int pop(void) { return head->buffer[head->read++]; }

static void *writer(void *arg) {
  for (int i = 1; i <= ITEMS; i++)
    push(i);
  return arg;
}

int main(void) {
  head = tail = new_block();
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 1; i <= ITEMS; i++) {
    while (empty())
      ;
    assert(pop() == i);
  }
  assert(empty());
  pthread_join(t, 0);
  free(head);
  return 0;
}
