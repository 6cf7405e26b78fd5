/* What a program can say to the model checker, natively. */
#include "common.h"

/* Ends a run in which an assumption of the program does not hold. */
void tp_assumption_fails(void);

#define TP_WEAK __attribute__((weak))

#define TP_ASSUME(name) \
  TP_WEAK void name(int condition) { \
    if (!condition) tp_assumption_fails(); \
  }
TP_ASSUME(tp_assume)
TP_ASSUME(__VERIFIER_assume)
TP_ASSUME(__CPROVER_assume)
TP_ASSUME(__ESBMC_assume)

/* Atomic sections are kept apart by the order that is enforced; without one,
 * by a lock that a thread can take several times. */
void tp_section_begins(void);
void tp_section_ends(void);

#define TP_SECTION(prefix) \
  TP_WEAK void prefix##atomic_begin(void) { tp_section_begins(); } \
  TP_WEAK void prefix##atomic_end(void) { tp_section_ends(); }
TP_SECTION(tp_)
TP_SECTION(__VERIFIER_)
TP_SECTION(__CPROVER_)
TP_SECTION(__ESBMC_)

TP_WEAK void tp_progress(void) {}

TP_WEAK void __tp_fail(const char *condition) {
  fprintf(stderr, "assertion `%s' failed\n", condition);
  abort();
}

#define TP_ERROR(name) \
  TP_WEAK void name(void) { \
    fprintf(stderr, #name " was called\n"); \
    abort(); \
  }
TP_ERROR(reach_error)
TP_ERROR(__VERIFIER_error)
TP_ERROR(__VERIFIER_assert_fail)
TP_ERROR(__CPROVER_error)
TP_ERROR(__ESBMC_error)

/* Assertions that are functions. Without a declaration the condition may be as
 * wide as a pointer. */
#define TP_ASSERT(name) \
  TP_WEAK void name(long condition) { \
    if (!condition) __tp_fail(#name); \
  }
TP_ASSERT(assert)
TP_ASSERT(__VERIFIER_assert)
TP_ASSERT(__ESBMC_assert)
TP_ASSERT(__CPROVER_assert)
