// An older version of DIVINE's queue between two threads, with a subtle race:
// the reader looks at the write index first and at the next block only then. If
// the writer fills the block and links the next one in between, the reader
// leaves the block before it has read it to its end.
#include "fifo.h"

static int empty(void) {
  if (head->read < atomic_load_explicit(&head->write, memory_order_acquire))
    return 0;
  struct block *next = atomic_load_explicit(&head->next, memory_order_acquire);
  if (!next)
    return 1;
  free(head);
  head = next;
  return 0;
}
