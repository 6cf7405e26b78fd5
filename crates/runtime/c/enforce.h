/* A schedule, as the program is held to it. All tables are words. */
#ifndef TP_ENFORCE_H
#define TP_ENFORCE_H

#include "common.h"

enum { TP_PLAIN, TP_WAIT_BEGINS, TP_WAIT_ENDS, TP_ATOMIC };
enum { TP_ABORT, TP_WARN, TP_FREE };
enum { TP_ANY_ARGUMENTS, TP_THESE_ARGUMENTS, TP_FEW_ARGUMENTS };
enum { TP_END, TP_SECTION, TP_BRANCH, TP_EXIT, TP_RACE };

/* No site: a thread ends, main begins, a thread begins, somewhere else, or the program ends. */
#define TP_NONE UINT32_MAX
#define TP_START (UINT32_MAX - 1)
#define TP_BIRTH (UINT32_MAX - 2)
#define TP_ELSEWHERE (UINT32_MAX - 3)
#define TP_EXIT_OF_ALL (UINT32_MAX - 4)

/* Words that others look at have the number of the round above these bits, and
 * a section or a number of events in them. */
#define TP_BITS 20
#define TP_LOW ((UINT64_C(1) << TP_BITS) - 1)

/* So many entries of a table, from this one on. */
typedef struct {
  uint32_t first, count;
} tp_range;

/* How many events of a thread must have happened. As a notice: none if there is nothing to wait
 * for, and more than there are if it is of no use to look in this section. */
typedef struct {
  uint32_t thread, events;
} tp_need;

typedef struct {
  uint32_t site, kind;
  tp_range needs;
  /* An event of several instructions ends when the one at this site was executed so many
   * times, and the thread has come to so many sites where events begin. The times are 0 if it
   * is one instruction. */
  uint32_t until, times, passes;
  /* A thread that waits for the event need not look before this has happened. */
  tp_need notice;
} tp_scheduled;

/* The events of a thread in a section, and the notice of its first one in the next section. */
typedef struct {
  tp_range events;
  tp_need notice;
} tp_part;

/* Where a thread comes to, and what is next then. */
typedef struct {
  uint32_t thread, site, section;
} tp_choice;

typedef struct {
  uint32_t next_kind, next;
  tp_range choices;
  /* What must have happened for the section to be complete. */
  tp_range complete;
} tp_section;

typedef struct {
  uint32_t threads, start, departure, patience;
  /* Where the tables begin, in words: lanes by section and thread. */
  uint32_t sections, lanes, events, needs, choices;
  /* Whether arguments are restricted, and how many there can be, or are. These are the names from
   * the last one on, or have at most so many characters. */
  uint32_t arguments, most, last;
  /* What may fail in the proof. */
  uint32_t failures;
} tp_header;

extern const uint32_t tp_plan[];
extern const char tp_plan_names[];

static inline const tp_header *tp_head(void) { return (const tp_header *)tp_plan; }

/* How a thread sleeps at a gate: until its event may happen, or until it is time to look. */
enum { TP_AWAKE, TP_CLOSE, TP_FAR };

/* What a thread tells the others. */
typedef struct {
  /* How many events it has done, with the round above. */
  _Alignas(64) _Atomic uint64_t done;
  /* It changes when the thread is to wake up, if it sleeps at a gate. */
  _Atomic uint32_t bell;
  _Atomic uint32_t sleeps_here;
  /* It is negative once the thread ends. */
  atomic_int kernel_id;
  /* For statistics, and written by the thread itself only: apart from what others read. */
  _Alignas(64) uint64_t events, waits, sleeps;
} tp_lane;

extern tp_lane tp_lanes[TP_THREADS];

/* The current section, with the round above. */
extern _Atomic uint64_t tp_now;

/* Whether the schedule was given up. */
extern atomic_bool tp_released;

/* Wakes those who sleep at a gate and have something to do there. */
void tp_ring(void);

/* The name with a number: the position of a site, or an argument. */
const char *tp_name(uint32_t number);

/* Writes an event to the record, if there is one. */
void tp_record_event(uint32_t site);

/* Goes to the next section, unless another thread did. */
void tp_switch(uint64_t now, uint32_t section);

/* Departs if a thread runs that was not created by the C library's functions. */
void tp_look_for_strangers(uint32_t site);

/* Statistics, at the end. */
void tp_tell(void);

/* The event that the calling thread is at, or NULL. */
const tp_scheduled *tp_current(void);

/* Before an event: waits until the schedule permits it. */
void tp_before(uint32_t site);

/* After an event: tells the others. */
void tp_after(uint32_t site);

/* Where atomic sections begin and end. */
void tp_section_begins(void);
void tp_section_ends(void);

/* Tells the others that the calling thread's event has happened. */
void tp_publish(void);

/* Something happened that the schedule does not know. */
void tp_depart(const char *why, uint32_t site);

#endif
