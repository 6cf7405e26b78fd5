/* A trace, as the program is held to it. */
#ifndef TP_REPLAY_H
#define TP_REPLAY_H

#include "common.h"

/* What an event is, besides a place in the program. */
enum { TP_PLAIN, TP_WAIT_BEGINS, TP_WAIT_ENDS, TP_OPERATION };

/* What the trace ends in. */
enum { TP_FAULT, TP_DEADLOCK };

/* The index of no event, and the number of no site. */
#define TP_NONE UINT32_MAX

/* The site of main's end, and of the start of a thread. */
#define TP_SITE_EXIT 0
#define TP_SITE_START 1

typedef struct {
  uint32_t thread;
  uint32_t site;
  uint32_t kind;
  int32_t result;
} tp_planned;

typedef struct {
  uint32_t thread;
  uint32_t name;
  uint64_t value;
} tp_given;

/* How a thread waits in a deadlock. */
enum { TP_NOT, TP_SLEEPING, TP_SPINNING };

/* Where a thread stands at the end of the trace. */
typedef struct {
  uint32_t site;
  uint32_t waits;
} tp_last;

typedef struct {
  uint32_t events, inputs, threads, fault_kind;
  uint32_t fault_thread, fault_site, fault_event;
  /* How many milliseconds a run may stand still, and how long a fault may take to show. */
  uint32_t patience, grace, unused;
} tp_header;

extern const unsigned char tp_plan[];
extern const char tp_plan_names[];

/* The event whose turn the calling thread has, or NULL. */
const tp_planned *tp_current(void);

/* Comes to a site: waits for the thread's turn. */
void tp_event(uint32_t site);

/* Whether the trace still decides what this thread does. */
bool tp_is_held(void);

#endif
