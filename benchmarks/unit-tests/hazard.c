// Hazard pointers: a node that a reader has announced is not recycled.
// kind: assertion
// bug: the reader does not look again after its announcement. The node may have
// been recycled before anybody could see it announced.
#include "unit.h"

#define NODES 4
#define READERS 2

static atomic_int head = 1, hazard[READERS];
static atomic_int next[NODES + 1] = {0, 2, 3, 4, 0}, recycled[NODES + 1];

static int protect(int reader) {
  for (;;) {
    int node = head;
    hazard[reader] = node;
#ifdef FIXED
    if (head == node)
      return node;
#else
    return node;
#endif
  }
}

static void retire(int node) {
  for (int i = 0; i < READERS; i++)
    if (hazard[i] == node)
      return;
  recycled[node] = 1;
}

static void *reader(void *id) {
  int me = (int)(size_t)id;
  for (int i = 0; i < 2; i++) {
    int node = protect(me);
    assert(!recycled[node]);
    hazard[me] = 0;
  }
  record(1);
  record(2);
  return 0;
}

static void *remover(void *arg) {
  for (int i = 0; i < 2; i++) {
    int node = head;
    if (node && atomic_compare_exchange_strong(&head, &node, next[node]))
      retire(node);
  }
  record(3);
  record(4);
  return arg;
}

int main(void) {
  RUN(reader, reader, remover);
  return 0;
}
