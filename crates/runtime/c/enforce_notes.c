/* Departures, statistics and records. */
#include "enforce.h"

static _Atomic uint64_t tp_departures;
static pthread_mutex_t tp_record_lock = PTHREAD_MUTEX_INITIALIZER;
static int tp_record_file = -1;

/* One text after the other. */
const char *tp_name(uint32_t number) {
  const char *text = tp_plan_names;
  while (number-- > 0) text += strlen(text) + 1;
  return text;
}

static const char *tp_position(uint32_t site) {
  switch (site) {
    case TP_NONE: return "the end of its code";
    case TP_START: return "the beginning of main";
    case TP_BIRTH: return "its beginning";
    case TP_EXIT_OF_ALL: return "the end of the program";
    case TP_ELSEWHERE: return "code that was not verified";
    default: return tp_name(site);
  }
}

void tp_depart(const char *why, uint32_t site) {
  if (atomic_load(&tp_released)) return;
  atomic_fetch_add(&tp_departures, 1);
  const char *mode = getenv("THREADPROOF_ON_DEPARTURE");
  uint32_t departure = tp_head()->departure;
  if (mode) departure = !strcmp(mode, "free") ? TP_FREE : !strcmp(mode, "warn") ? TP_WARN : TP_ABORT;
  if (departure != TP_FREE)
    tp_note("threadproof: thread %d departs from the schedule at %s: %s\n", tp_self, tp_position(site), why);
  if (departure == TP_ABORT) abort();
  atomic_store(&tp_released, true);
  tp_ring();
}

static bool tp_records(void) {
  static atomic_int known = -1;
  int records = atomic_load_explicit(&known, memory_order_acquire);
  if (records >= 0) return records;
  const char *path = getenv("THREADPROOF_RECORD");
  pthread_mutex_lock(&tp_record_lock);
  if (path && tp_record_file < 0) tp_record_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  atomic_store(&known, tp_record_file >= 0);
  pthread_mutex_unlock(&tp_record_lock);
  return atomic_load(&known);
}

static void tp_record(const char *format, ...) {
  char line[64];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (write(tp_record_file, line, length) < 0) return;
}

/* The others are told of an event after it is in the record: what depends on it comes later. */
void tp_record_event(uint32_t site) {
  if (!tp_records()) return;
  pthread_mutex_lock(&tp_record_lock);
  tp_record("event %d %u\n", tp_self, site);
  pthread_mutex_unlock(&tp_record_lock);
}

void tp_switch(uint64_t now, uint32_t section) {
  uint64_t round = (now >> TP_BITS) + 1, next = round << TP_BITS | section;
  if (next < now) return tp_depart("there were more sections than can be counted", TP_NONE);
  if (!tp_records()) {
    atomic_compare_exchange_strong(&tp_now, &now, next);
    return;
  }
  pthread_mutex_lock(&tp_record_lock);
  if (atomic_load(&tp_now) == now) {
    tp_record("section %u\n", section);
    atomic_store(&tp_now, next);
  }
  pthread_mutex_unlock(&tp_record_lock);
}

void tp_tell(void) {
  if (!getenv("THREADPROOF_STATS")) return;
  unsigned long long events = 0, waits = 0, sleeps = 0;
  for (int thread = 0; thread < TP_THREADS; thread++) {
    events += tp_lanes[thread].events;
    waits += tp_lanes[thread].waits;
    sleeps += tp_lanes[thread].sleeps;
  }
  tp_note("threadproof: %llu events, %llu waits, %llu of them asleep, %llu sections, %llu departures\n", events,
          waits, sleeps, (unsigned long long)(atomic_load(&tp_now) >> TP_BITS),
          (unsigned long long)atomic_load(&tp_departures));
}
