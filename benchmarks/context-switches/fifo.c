// A correct version of DIVINE's queue between two threads.
#include "fifo.h"

static int empty(void) {
  if (head->read < atomic_load_explicit(&head->write, memory_order_acquire))
    return 0;
  if (head->read < BLOCK)
    return 1;
  // A full block that was read to its end: what comes is in the next one.
  struct block *next = atomic_load_explicit(&head->next, memory_order_acquire);
  if (!next)
    return 1;
  free(head);
  head = next;
  return 0;
}
