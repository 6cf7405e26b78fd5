// A lazily made object: the first to need it makes it, the others use it.
// kind: assertion
// bug: the pointer is published before the object is complete.
#include "unit.h"

struct table {
  atomic_int size, checksum;
};

static struct table the_table;
static _Atomic(struct table *) instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct table *get(void) {
  struct table *table = instance;
  if (table)
    return table;
  pthread_mutex_lock(&mutex);
  table = instance;
  if (!table) {
    table = &the_table;
#ifdef FIXED
    table->size = 8;
    table->checksum = 8;
    instance = table;
#else
    table->size = 8;
    instance = table;
    table->checksum = 8;
#endif
  }
  pthread_mutex_unlock(&mutex);
  return table;
}

static void *user(void *arg) {
  struct table *table = get();
  assert(table->size == table->checksum);
  record(1);
  record(2);
  record(3);
  return arg;
}

int main(void) {
  RUN(user, user, user, user);
  return 0;
}
