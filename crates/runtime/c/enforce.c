/* The gate of an enforced schedule.
 *
 * One word says which section is current and, above it, how many there were
 * before (the round). Each thread publishes in a word of its own how many
 * events of the current round it has done, with the round above: words of
 * earlier rounds are smaller, so that nothing has to be set back. */
#include "enforce.h"

tp_lane tp_lanes[TP_THREADS];
_Alignas(64) _Atomic uint64_t tp_now;
atomic_bool tp_released;
static _Alignas(64) _Atomic uint32_t tp_sleepers;

/* How often a thread lets others run before it sleeps, and how often it looks at the least. */
#define TP_YIELDS 50
#define TP_FEW 32

/* So often it looks without a pause: on some processors a pause takes as long as another thread
 * needs for its event. */
#define TP_EAGER 200

static __thread struct {
  uint64_t round;
  uint32_t index, depth;
  /* How often it looks before it gives way, how often it did not look at all, and how often it
   * gives way less than it might before it sleeps. */
  uint32_t spins, tries, hurry;
  /* Within an event of several instructions: how often the last one is still to be executed,
   * and how many sites the thread has come to. */
  uint32_t left, passed;
  const tp_scheduled *event;
} tp_my;

static const tp_section *tp_section_at(uint32_t index) {
  return (const tp_section *)(tp_plan + tp_head()->sections) + index;
}

static tp_part tp_lane_of(uint32_t section, uint32_t thread) {
  return ((const tp_part *)(tp_plan + tp_head()->lanes))[section * tp_head()->threads + thread];
}

static const tp_scheduled *tp_event_at(uint32_t index) {
  return (const tp_scheduled *)(tp_plan + tp_head()->events) + index;
}

const tp_scheduled *tp_current(void) { return tp_my.event; }

/* Whether all needs are met. None are if there are none to be met: then another
 * thread chooses the next section. */
static bool tp_are_met(const tp_range *needs, uint64_t now) {
  if (!needs) return false;
  const tp_need *need = (const tp_need *)(tp_plan + tp_head()->needs) + needs->first;
  uint64_t round = now & ~TP_LOW;
  for (uint32_t i = 0; i < needs->count; i++)
    if (atomic_load_explicit(&tp_lanes[need[i].thread].done, memory_order_acquire) < (round | need[i].events))
      return false;
  return true;
}

/* Whether it is time to look. */
static bool tp_is_near(tp_need notice, uint64_t now) {
  if (!notice.events) return true;
  uint64_t done = atomic_load_explicit(&tp_lanes[notice.thread].done, memory_order_acquire);
  return done >= ((now & ~TP_LOW) | notice.events);
}

/* The same, or the section is over, or the schedule is given up. */
static bool tp_may_go_on(const tp_range *needs, uint64_t now) {
  return tp_are_met(needs, now) || atomic_load(&tp_now) != now || atomic_load(&tp_released);
}

/* Whether one of the ways that the section can go is a thread's. */
static bool tp_has_choice(const tp_section *section, uint32_t thread) {
  const tp_choice *choice = (const tp_choice *)(tp_plan + tp_head()->choices) + section->choices.first;
  for (uint32_t i = 0; i < section->choices.count; i++)
    if (choice[i].thread == thread) return true;
  return false;
}

/* Whether there is something to do for a thread that sleeps at a gate: its next event may happen,
 * it is time to look for that, or it may say which section is next. */
static bool tp_is_wanted(uint32_t thread, uint32_t sleeps, uint64_t now) {
  const tp_section *section = tp_section_at(now & TP_LOW);
  uint64_t done = atomic_load(&tp_lanes[thread].done);
  uint32_t index = done >> TP_BITS == now >> TP_BITS ? done & TP_LOW : 0;
  tp_part lane = tp_lane_of(now & TP_LOW, thread);
  if (index < lane.events.count) {
    const tp_scheduled *event = tp_event_at(lane.events.first + index);
    return (sleeps == TP_FAR && tp_is_near(event->notice, now)) || tp_are_met(&event->needs, now);
  }
  if (sleeps == TP_FAR && tp_is_near(lane.notice, now)) return true;
  if (section->next_kind == TP_EXIT || !tp_are_met(&section->complete, now)) return false;
  bool chooses = section->next_kind == TP_BRANCH || section->next_kind == TP_RACE;
  return !chooses || tp_has_choice(section, thread);
}

void tp_ring(void) {
  if (atomic_load(&tp_sleepers) == 0) return;
  uint64_t now = atomic_load(&tp_now);
  for (uint32_t thread = 0; thread < tp_head()->threads; thread++) {
    tp_lane *lane = &tp_lanes[thread];
    uint32_t sleeps = atomic_load(&lane->sleeps_here);
    if (sleeps == TP_AWAKE) continue;
    if (!atomic_load(&tp_released) && !tp_is_wanted(thread, sleeps, now)) continue;
    if (!atomic_exchange(&lane->sleeps_here, TP_AWAKE)) continue;
    atomic_fetch_add(&lane->bell, 1);
    tp_wake(&lane->bell);
  }
}

/* Whether all other threads sleep, so that nobody can let this one go on. */
static bool tp_all_sleep(void) {
  for (uint32_t thread = 0; thread < TP_THREADS; thread++) {
    int id = atomic_load(&tp_lanes[thread].kernel_id);
    if (id > 0 && thread != (uint32_t)tp_self && !tp_sleeps(id)) return false;
  }
  return true;
}

/* Sleeps until there is something to do. Says whether that took long. */
static bool tp_sleep(uint32_t bell) {
  const struct timespec second = {1, 0};
  int before = errno;
  long result = syscall(SYS_futex, &tp_lanes[tp_self].bell, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, bell, &second, NULL, 0);
  bool late = result < 0 && errno == ETIMEDOUT;
  errno = before;
  return late;
}

/* Looks whether needs are met, for as long as that has helped lately: where the
 * other threads run on other processors it does, on a busy machine it only keeps
 * them from running. */
static bool tp_look(const tp_range *needs, uint64_t now) {
  for (uint32_t looks = 0; looks < tp_my.spins; looks++) {
    if (tp_may_go_on(needs, now)) {
      uint32_t more = tp_my.spins + TP_FEW, most = tp_spins();
      tp_my.spins = more < most ? more : most;
      return true;
    }
    if (looks > TP_EAGER) tp_relax();
  }
  /* Now and then it is tried again. */
  tp_my.spins = tp_my.spins ? tp_my.spins / 2 : ++tp_my.tries % 64 == 0 && tp_spins() ? TP_FEW : 0;
  return false;
}

/* Lets others run, in case one of them is who is waited for; less often if that was in vain. */
static bool tp_yield(const tp_range *needs, uint64_t now) {
  for (int left = TP_YIELDS >> tp_my.hurry; left > 0; left--) {
    if (tp_may_go_on(needs, now)) {
      tp_my.hurry = 0;
      return true;
    }
    sched_yield();
  }
  tp_my.hurry = tp_my.hurry < 6 ? tp_my.hurry + 1 : tp_my.tries % 64 == 0 ? 0 : 6;
  return false;
}

/* Sleeps until needs are met, or the section is over; or, if there is a notice, until it is time
 * to look. Says whether the thread may go on. */
static bool tp_doze(const tp_range *needs, const tp_need *notice, uint64_t now, uint32_t site) {
  tp_lane *own = &tp_lanes[tp_self];
  for (uint32_t seconds = 0;;) {
    uint32_t bell = atomic_load(&own->bell);
    atomic_store(&own->sleeps_here, notice ? TP_FAR : TP_CLOSE);
    atomic_fetch_add(&tp_sleepers, 1);
    atomic_thread_fence(memory_order_seq_cst);
    bool ready = tp_may_go_on(needs, now) || (notice && tp_is_near(*notice, now));
    if (!ready) own->sleeps++;
    seconds = !ready && tp_sleep(bell) ? seconds + 1 : 0;
    atomic_fetch_sub(&tp_sleepers, 1);
    atomic_store(&own->sleeps_here, TP_AWAKE);
    if (seconds > 0) tp_look_for_strangers(site);
    if (tp_may_go_on(needs, now)) return true;
    if (notice && tp_is_near(*notice, now)) return false;
    if (seconds < tp_head()->patience || !tp_all_sleep()) continue;
    tp_depart("all threads wait for ever", site);
    return true;
  }
}

/* Waits until needs are met, or the section is over. A thread for which many others come first
 * sleeps at once, so that they have the processor, and is woken shortly before its event. */
static void tp_await(const tp_range *needs, const tp_need *notice, uint64_t now, uint32_t site) {
  if (tp_may_go_on(needs, now)) return;
  tp_lanes[tp_self].waits++;
  if (notice && !tp_is_near(*notice, now) && tp_doze(needs, notice, now, site)) return;
  if (tp_look(needs, now) || tp_yield(needs, now)) return;
  tp_doze(needs, NULL, now, site);
}

/* Goes on while the current section is complete and nobody has to choose the next one. */
static void tp_advance(void) {
  for (;;) {
    uint64_t now = atomic_load(&tp_now);
    const tp_section *section = tp_section_at(now & TP_LOW);
    if (section->next_kind != TP_SECTION || !tp_are_met(&section->complete, now)) return;
    tp_switch(now, section->next);
    if (atomic_load(&tp_released) || section->complete.count == 0) return;
  }
}

static void tp_enter(uint64_t now, uint32_t section) {
  tp_switch(now, section);
  tp_ring();
}

/* The current section is complete: goes to the next one, if that is for this thread to say. */
static void tp_choose(uint64_t now, uint32_t site) {
  const tp_section *section = tp_section_at(now & TP_LOW);
  if (section->next_kind == TP_SECTION) return tp_enter(now, section->next);
  if (section->next_kind == TP_END) return tp_depart("the schedule has ended", site);
  if (section->next_kind == TP_EXIT) return tp_await(NULL, NULL, now, site);
  bool races = section->next_kind == TP_RACE;
  if (!races && section->next != (uint32_t)tp_self) return tp_await(NULL, NULL, now, site);
  const tp_choice *choice = (const tp_choice *)(tp_plan + tp_head()->choices) + section->choices.first;
  for (uint32_t i = 0; i < section->choices.count; i++)
    if (choice[i].thread == (uint32_t)tp_self && choice[i].site == site) return tp_enter(now, choice[i].section);
  if (races) return tp_await(NULL, NULL, now, site);
  tp_depart("the branching goes another way", site);
}

static bool tp_is_free(void) { return tp_self < 0 || atomic_load_explicit(&tp_released, memory_order_relaxed); }

void tp_before(uint32_t site) {
  if (tp_my.left) {
    tp_my.passed++;
    return;
  }
  if (tp_is_free() || (tp_my.event && tp_my.event->kind == TP_ATOMIC)) return;
  /* A call that comes back into the program is an event where it begins. */
  if (tp_my.event) tp_publish();
  if (tp_self >= (int)tp_head()->threads) return tp_depart("the schedule does not know the thread", site);
  while (!tp_is_free()) {
    uint64_t now = atomic_load_explicit(&tp_now, memory_order_acquire);
    if (tp_my.round != now >> TP_BITS) tp_my.round = now >> TP_BITS, tp_my.index = 0;
    tp_part lane = tp_lane_of(now & TP_LOW, tp_self);
    if (tp_my.index < lane.events.count) {
      const tp_scheduled *event = tp_event_at(lane.events.first + tp_my.index);
      if (event->site != site) return tp_depart("another instruction is next", site);
      tp_await(&event->needs, &event->notice, now, site);
      tp_my.event = event;
      tp_my.left = event->times;
      tp_my.passed = 0;
      return;
    }
    tp_await(&tp_section_at(now & TP_LOW)->complete, &lane.notice, now, site);
    if (atomic_load(&tp_now) == now && !tp_is_free()) tp_choose(now, site);
  }
}

void tp_publish(void) {
  const tp_scheduled *event = tp_my.event;
  tp_my.event = NULL;
  if (!event || tp_is_free()) return;
  tp_record_event(event->site);
  tp_lanes[tp_self].events++;
  atomic_store(&tp_lanes[tp_self].done, tp_my.round << TP_BITS | ++tp_my.index);
  if (tp_my.index == tp_lane_of(atomic_load(&tp_now) & TP_LOW, tp_self).events.count) tp_advance();
  tp_ring();
}

/* An instruction was executed within an event of several. */
static void tp_within(uint32_t site) {
  if (site != tp_my.event->until || --tp_my.left > 0) return;
  if (tp_my.passed != tp_my.event->passes) tp_depart("another way leads there", site);
  tp_publish();
}

void tp_after(uint32_t site) {
  if (tp_my.left) return tp_within(site);
  const tp_scheduled *event = tp_my.event;
  bool goes_on = event && event->kind == TP_ATOMIC && tp_my.depth > 0;
  if (event && event->site == site && !goes_on) tp_publish();
}

/* An instruction after which nothing can be called: the event is over when it begins. */
void tp_pass(uint32_t site) {
  tp_before(site);
  if (tp_my.left) return tp_within(site);
  tp_publish();
}

/* The same where events only end. */
void tp_over(uint32_t site) {
  if (tp_my.left) tp_within(site);
}

/* A function that is an atomic section as a whole begins and ends. It may call itself, or have
 * sections within. */
void tp_function_begins(uint32_t site) {
  tp_before(site);
  tp_section_begins();
}

void tp_function_ends(uint32_t site) {
  tp_section_ends();
  tp_after(site);
}

void tp_section_begins(void) { tp_my.depth++; }

void tp_section_ends(void) {
  if (tp_my.depth > 0 && --tp_my.depth == 0 && tp_my.event && tp_my.event->kind == TP_ATOMIC) tp_publish();
}

void tp_assumption_fails(void) { tp_depart("an assumption does not hold", TP_NONE); }

/* A thread that never comes to an event would go unnoticed later. A schedule that knows no
 * thread restricts none. */
void tp_thread_starts(void) {
  int known = tp_head()->threads;
  if (known > 0 && tp_self >= known) tp_depart("the schedule does not know the thread", TP_BIRTH);
  if (tp_self < TP_THREADS) atomic_store(&tp_lanes[tp_self].kernel_id, (int)syscall(SYS_gettid));
}

/* An event of several instructions may end in a destructor. */
void tp_thread_ends(void) {
  if (!tp_my.left) tp_publish();
}

/* A thread whose end is a way that a branching can go chooses it. */
void tp_thread_is_over(void) {
  tp_thread_ends();
  while (!tp_is_free() && tp_self < (int)tp_head()->threads) {
    uint64_t now = atomic_load(&tp_now);
    const tp_section *section = tp_section_at(now & TP_LOW);
    uint32_t index = tp_my.round == now >> TP_BITS ? tp_my.index : 0;
    bool mine = section->next_kind == TP_BRANCH && section->next == (uint32_t)tp_self;
    if (!mine || index < tp_lane_of(now & TP_LOW, tp_self).events.count) break;
    tp_await(&section->complete, NULL, now, TP_NONE);
    if (atomic_load(&tp_now) == now && !tp_is_free()) tp_choose(now, TP_NONE);
  }
  if (tp_self < 0 || tp_self >= TP_THREADS) return;
  atomic_int *id = &tp_lanes[tp_self].kernel_id;
  atomic_store(id, -atomic_load(id));
}

/* Whether the proof is about these arguments; the first is the name of the program. */
static bool tp_are_proven(uint32_t count, char **arguments) {
  const tp_header *head = tp_head();
  bool these = head->arguments == TP_THESE_ARGUMENTS;
  if (count == 0 || count - 1 > head->most || (these && count - 1 != head->most)) return false;
  for (uint32_t i = 1; i < count; i++)
    if (these ? strcmp(arguments[i], tp_name(head->last + i - 1)) != 0 : strlen(arguments[i]) > head->last)
      return false;
  return true;
}

void tp_main_begins(int count, char **arguments) {
  if (tp_head()->arguments == TP_ANY_ARGUMENTS || tp_are_proven(count, arguments)) return;
  tp_depart("nothing is proven about these arguments", TP_START);
}

void tp_main_ends(void) { tp_publish(); }

static void tp_at_exit(void) {
  tp_look_for_strangers(TP_EXIT_OF_ALL);
  tp_tell();
}

__attribute__((constructor(51))) static void tp_begin(void) {
  atomic_store(&tp_lanes[0].kernel_id, (int)syscall(SYS_gettid));
  /* Rounds count from 1: nothing has been done in the first. */
  atomic_store(&tp_now, UINT64_C(1) << TP_BITS | tp_head()->start);
  atexit(tp_at_exit);
}
