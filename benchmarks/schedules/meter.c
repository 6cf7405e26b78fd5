// Counts the useful rounds of a program that runs for ever: all calls of tp_progress() in two
// seconds; with ROUNDS, it ends the program after so many, or if there are no more. It is linked
// to the native program (`-Wl,meter.o`), and no part of what is verified.
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 64

// Each thread counts in a cache line of its own.
static struct {
  _Alignas(64) _Atomic unsigned long count;
} rounds[THREADS];
static atomic_int threads;
static __thread int self = -1;

static unsigned long sum(void) {
  unsigned long sum = 0;
  for (int i = 0; i < THREADS; i++) sum += atomic_load(&rounds[i].count);
  return sum;
}

void tp_progress(void) {
  if (self < 0) self = atomic_fetch_add(&threads, 1);
  if (self >= THREADS) return;
  unsigned long before = atomic_load_explicit(&rounds[self].count, memory_order_relaxed);
  atomic_store_explicit(&rounds[self].count, before + 1, memory_order_relaxed);
#ifdef ROUNDS
  if (before % 1000 != 0) return;
  unsigned long all = sum();
  if (all >= ROUNDS) {
    dprintf(1, "no fault in %lu rounds\n", all);
    _exit(0);
  }
#endif
}

#ifdef ROUNDS
#define SECONDS 5

static void tell(int unused) {
  static unsigned long last;
  unsigned long all = sum();
  (void)unused;
  if (all == last) {
    dprintf(1, "stands still after %lu rounds\n", all);
    _exit(1);
  }
  last = all;
  alarm(SECONDS);
}
#else
#define SECONDS 2

static void tell(int unused) {
  (void)unused;
  dprintf(1, "%lu\n", sum());
  _exit(0);
}
#endif

// A thread for this would be one that the schedule does not know.
__attribute__((constructor)) static void begin(void) {
  signal(SIGALRM, tell);
  alarm(SECONDS);
}
