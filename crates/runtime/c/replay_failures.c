/* Calls that the trace lets fail: the program calls another function then, which fails as the one
 * that stands there can. The arguments do not matter to it. */
#include "replay.h"

static void *tp_nothing(void) {
  errno = ENOMEM;
  return NULL;
}

static long tp_minus_one(void) {
  errno = ENOMEM;
  return -1;
}

static int tp_too_little_memory(void) { return ENOMEM; }
static int tp_too_many_threads(void) { return EAGAIN; }
static int tp_no_c11_thread(void) { return thrd_error; }

/* The function that fails as this one can. Those that are not listed return pointers. */
static void *tp_failing(void *function) {
  void *const numbers[] = {(void *)getline, (void *)getdelim, (void *)asprintf, (void *)vasprintf};
  if (function == (void *)pthread_create) return (void *)tp_too_many_threads;
  if (function == (void *)thrd_create) return (void *)tp_no_c11_thread;
  if (function == (void *)posix_memalign) return (void *)tp_too_little_memory;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (function == numbers[i]) return (void *)tp_minus_one;
  return (void *)tp_nothing;
}

/* What a call calls that may fail. */
void *tp_unless_it_fails(void *function) { return tp_input("a failure") ? tp_failing(function) : function; }
