/* The gate of native replay.
 *
 * The trace is one sequence of events, each a thread at a site. A thread that
 * comes to a site waits until the next event of the sequence is its own, and
 * keeps the turn until it comes to its next site: what it does in between no
 * other thread can see, so that running it to its end before others go on is
 * what the trace does as well. */
#include "replay.h"

static _Atomic uint32_t tp_turn;
/* The turn that was taken last, counted from 1. */
static _Atomic uint32_t tp_taken;
static _Atomic uint32_t tp_reached;
static atomic_bool tp_done;
static atomic_bool tp_returned;
static __thread uint32_t tp_holds = TP_NONE;
static _Atomic uint32_t tp_where[TP_THREADS];
static _Atomic uint32_t tp_arrived[TP_THREADS];
static atomic_int tp_kernel_id[TP_THREADS];

static const tp_header *tp_head(void) { return (const tp_header *)tp_plan; }

static const tp_planned *tp_events(void) { return (const tp_planned *)(tp_head() + 1); }

static const tp_given *tp_inputs(void) { return (const tp_given *)(tp_events() + tp_head()->events); }

static const tp_last *tp_lasts(void) { return (const tp_last *)(tp_inputs() + tp_head()->inputs); }

/* Where a debugger stops: before the fault, and where the run departs. */
__attribute__((noinline)) void tp_before_fault(void) { __asm__ volatile(""); }
__attribute__((noinline)) void tp_departed(void) { __asm__ volatile(""); }

static void tp_finish(void) {
  fflush(stdout);
  _exit(TP_DEPARTED);
}

static void tp_depart(const char *why, uint32_t site) {
  if (atomic_exchange(&tp_done, true)) for (;;) pause();
  uint32_t turn = atomic_load(&tp_turn);
  uint32_t expected = turn < tp_head()->events ? tp_events()[turn].site : tp_head()->fault_site;
  tp_departed();
  tp_note("departed %s thread=%d site=%d event=%u expected=%d\n", why, tp_self, (int)site, turn, (int)expected);
  tp_finish();
}

/* Ends a turn that goes on still. */
static void tp_end_turn(uint32_t turn) {
  if (!atomic_compare_exchange_strong(&tp_turn, &turn, turn + 1)) return;
  tp_wake(&tp_turn);
}

static void tp_release(void) {
  if (tp_holds == TP_NONE) return;
  uint32_t held = tp_holds;
  tp_holds = TP_NONE;
  tp_end_turn(held);
}

static void tp_hold_for_ever(void) {
  for (;;) pause();
}

/* Whether it is the first time. */
static bool tp_fault_is_reached(uint32_t site) {
  if (atomic_exchange(&tp_reached, 1)) return false;
  tp_note("reached thread=%d site=%d\n", tp_self, (int)site);
  return true;
}

/* All events have happened. Says whether the fault comes next. */
static bool tp_at_end(uint32_t site) {
  const tp_header *head = tp_head();
  bool last = tp_self < (int)head->threads && tp_lasts()[tp_self].site == site;
  if (head->fault_kind == TP_DEADLOCK && last && tp_lasts()[tp_self].waits) {
    atomic_store(&tp_arrived[tp_self], 1);
    return false;
  }
  if (head->fault_kind == TP_FAULT && tp_self == (int)head->fault_thread) {
    if (atomic_load(&tp_reached)) {
      tp_note("survived\n");
      tp_finish();
    }
    if (site == head->fault_site) return tp_fault_is_reached(site);
    if (head->fault_event == TP_NONE) tp_depart("site", site);
  }
  tp_hold_for_ever();
  return false;
}

/* Waits for the thread's turn. Says whether the fault comes next. */
static bool tp_take_turn(uint32_t site) {
  for (;;) {
    uint32_t turn = atomic_load_explicit(&tp_turn, memory_order_acquire);
    if (turn >= tp_head()->events) return tp_at_end(site);
    if (tp_events()[turn].thread == (uint32_t)tp_self) break;
    tp_await_change(&tp_turn, turn);
  }
  tp_holds = atomic_load_explicit(&tp_turn, memory_order_relaxed);
  atomic_store(&tp_taken, tp_holds + 1);
  if (tp_events()[tp_holds].site != site) tp_depart("site", site);
  return tp_holds == tp_head()->fault_event && tp_fault_is_reached(site);
}

void tp_event(uint32_t site) {
  if (tp_self < 0 || tp_self >= TP_THREADS) return;
  tp_release();
  atomic_store_explicit(&tp_where[tp_self], site + 1, memory_order_relaxed);
  if (tp_take_turn(site)) tp_before_fault();
}

/* The faulty instruction is no event of its own: it counts once all events are past. */
void tp_mark(uint32_t site) {
  const tp_header *head = tp_head();
  uint32_t turn = atomic_load(&tp_turn);
  bool last = turn + (tp_holds != TP_NONE) >= head->events;
  if (tp_self == (int)head->fault_thread && last && tp_fault_is_reached(site)) tp_before_fault();
}

const tp_planned *tp_current(void) { return tp_holds == TP_NONE ? NULL : &tp_events()[tp_holds]; }

bool tp_is_held(void) { return tp_self >= 0 && (tp_holds != TP_NONE || atomic_load(&tp_turn) < tp_head()->events); }

/* A wait that the trace does not end. */
static bool tp_waits_for_ever(void) {
  const tp_header *head = tp_head();
  for (uint32_t i = tp_holds + 1; i < head->events; i++)
    if (tp_events()[i].thread == (uint32_t)tp_self) return false;
  return true;
}

void tp_thread_starts(void) {
  atomic_store(&tp_kernel_id[tp_self], (int)syscall(SYS_gettid));
  if (tp_self < (int)tp_head()->threads && tp_lasts()[tp_self].site == TP_SITE_START) {
    atomic_store(&tp_where[tp_self], TP_SITE_START + 1);
    tp_hold_for_ever();
  }
}

void tp_thread_ends(void) { tp_release(); }
void tp_thread_is_over(void) {}
void tp_no_thread(void) {}

/* Whoever starts the program gives it the trace's arguments. */
void tp_main_begins(int count, char **arguments) { (void)count, (void)arguments; }

/* The handlers that the program has for its end come first. */
void tp_main_ends(void) { atomic_store(&tp_returned, true); }

void tp_assumption_fails(void) { tp_depart("assumption", TP_NONE); }

void tp_section_begins(void) {}
void tp_section_ends(void) {}

/* Whether every thread of the deadlock has come to where it waits, and sleeps there. */
static bool tp_is_deadlocked(void) {
  for (uint32_t thread = 0; thread < tp_head()->threads; thread++) {
    if (!tp_lasts()[thread].waits) continue;
    bool is_there = atomic_load(&tp_arrived[thread]) &&
                    (tp_lasts()[thread].waits == TP_SPINNING || tp_sleeps(atomic_load(&tp_kernel_id[thread])));
    if (!is_there) return false;
  }
  return true;
}

static void tp_tell_who_stands_where(void) {
  for (uint32_t thread = 0; thread < tp_head()->threads; thread++) {
    uint32_t where = atomic_load(&tp_where[thread]);
    if (where) tp_note("stands thread=%u site=%d\n", thread, (int)where - 1);
  }
}

/* How often the watcher looks before a turn may be long. */
#define TP_LONG 100

/* A thread that has run for so many nanoseconds meanwhile is not only slow. */
#define TP_BUSY (UINT64_C(300) * 1000 * 1000)

/* The thread that the run waits for, as the kernel has it: the guilty one, or that whose turn it is. */
static int tp_awaited(uint32_t turn) {
  const tp_header *head = tp_head();
  uint32_t thread = turn < head->events ? tp_events()[turn].thread : TP_THREADS;
  if (atomic_load(&tp_reached)) thread = head->fault_thread;
  return thread < TP_THREADS ? atomic_load(&tp_kernel_id[thread]) : 0;
}

/* How long a thread has run, in nanoseconds. */
static uint64_t tp_has_run(int kernel_id) {
  struct timespec time = {0, 0};
  /* The kernel's clock of the processor time of a thread. */
  clock_gettime((clockid_t)(~(unsigned)kernel_id << 3 | 6), &time);
  return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

/* Whether a thread would go on if it had a processor. One that has ended would not, though it may
 * be left as what the others wait for: main's stays until they have ended. */
static bool tp_is_slow(int kernel_id, uint64_t had_run) {
  return kernel_id && tp_runs(kernel_id) && tp_has_run(kernel_id) - had_run < TP_BUSY;
}

/* Looks every ten milliseconds whether the run goes on. */
static void *tp_watch(void *unused) {
  const struct timespec pause = {0, 10 * 1000 * 1000};
  uint32_t seen = 0, seen_reached = 0, quiet = 0, blocked = 0;
  uint32_t patience = tp_head()->patience / 10, grace = tp_head()->grace / 10;
  uint64_t had_run = 0;
  for (;;) {
    syscall(SYS_nanosleep, &pause, NULL);
    uint32_t turn = atomic_load(&tp_turn), reached = atomic_load(&tp_reached);
    int awaited = tp_awaited(turn);
    quiet = turn == seen && reached == seen_reached ? quiet + 1 : 0;
    seen = turn, seen_reached = reached;
    if (quiet == 0) had_run = tp_has_run(awaited);
    if (tp_head()->fault_kind == TP_DEADLOCK && turn >= tp_head()->events) {
      blocked = tp_is_deadlocked() ? blocked + 1 : 0;
      if (blocked == 10) {
        tp_note("deadlock\n");
        tp_finish();
      }
    }
    if (quiet < TP_LONG && quiet <= grace) continue;
    if (tp_is_slow(awaited, had_run)) continue;
    /* A thread that runs for ever where no other can see it keeps nobody waiting. */
    if (quiet >= TP_LONG && atomic_load(&tp_taken) == turn + 1 && !reached) tp_end_turn(turn);
    if (reached && quiet > grace) {
      tp_note("survived\n");
      tp_finish();
    }
    if (quiet > patience) {
      tp_tell_who_stands_where();
      tp_depart("stuck", TP_NONE);
    }
  }
  return unused;
}

/* A program that ends while the trace still has events departs from it. */
static void tp_at_exit(void) {
  if (atomic_load(&tp_returned)) tp_event(TP_SITE_EXIT);
  if (atomic_load(&tp_done) || atomic_load(&tp_reached)) return;
  uint32_t turn = atomic_load(&tp_turn) + (tp_holds != TP_NONE);
  if (turn < tp_head()->events) tp_depart("exit", TP_NONE);
  tp_note("ended\n");
}

__attribute__((constructor(51))) static void tp_begin(void) {
  atomic_store(&tp_kernel_id[0], (int)syscall(SYS_gettid));
  atexit(tp_at_exit);
  int self = tp_self;
  tp_self = TP_STRANGER;
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, tp_watch, NULL) == 0) pthread_detach(watcher);
  tp_self = self;
}
