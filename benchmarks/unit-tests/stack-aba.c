// A lock-free stack whose nodes are used again.
// kind: assertion
// bug: a pop that was interrupted between looking at the top and replacing it
// does not notice that the same node came back with another one below it.
#include "unit.h"

#define NODES 3

// The top: a node (0 is none) and how often it was changed.
static atomic_int top = 1;
static atomic_int next[NODES + 1] = {0, 2, 3, 0};
static atomic_int owned[NODES + 1];

#ifdef FIXED
#define CHANGED(seen, node) (((seen) / 8 + 1) * 8 + (node))
#else
#define CHANGED(seen, node) (node)
#endif

static int pop(void) {
  int seen = top;
  while (seen % 8) {
    int node = seen % 8;
    if (atomic_compare_exchange_strong(&top, &seen, CHANGED(seen, next[node]))) {
      assert(atomic_fetch_add(&owned[node], 1) == 0);
      return node;
    }
  }
  return 0;
}

static void push(int node) {
  atomic_fetch_sub(&owned[node], 1);
  int seen = top;
  do
    next[node] = seen % 8;
  while (!atomic_compare_exchange_strong(&top, &seen, CHANGED(seen, node)));
}

static void *single(void *arg) {
  int node = pop();
  record(node > 0);
  record(4);
  return arg;
}

static void *several(void *arg) {
  int first = pop(), second = pop();
  if (first)
    push(first);
  record(second > 0);
  record(5);
  return arg;
}

static void *late(void *arg) {
  pop();
  pop();
  record(6);
  record(7);
  return arg;
}

int main(void) {
  RUN(single, several, late);
  return 0;
}
