/* threadproof.h: what a program can say to the model checker.
 *
 * The header is on the include path by itself when threadproof compiles a
 * program. Compiled by anything else, the functions are plain declarations.
 */
#ifndef THREADPROOF_H
#define THREADPROOF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is 0 are not considered. */
void tp_assume(int condition);

/* Fails unless the condition holds. */
#define tp_assert(condition) ((condition) ? (void)0 : __tp_fail(#condition))
void __tp_fail(const char *condition) __attribute__((noreturn));

/* No other thread runs between the two. Sections nest. */
void tp_atomic_begin(void);
void tp_atomic_end(void);

/* Says that something was achieved: a loop that comes by here again and again
 * is no livelock. Means nothing to other properties. */
void tp_progress(void);

/* Says that a thread is here: the name, a string literal, can be used in formulas
 * (threadproof check --ltl). It is true from the call to its return. */
void tp_label(const char *name);

/* Any value of the type. */
#ifdef __cplusplus
bool tp_nondet_bool(void);
#else
_Bool tp_nondet_bool(void);
#endif
char tp_nondet_char(void);
signed char tp_nondet_schar(void);
unsigned char tp_nondet_uchar(void);
short tp_nondet_short(void);
unsigned short tp_nondet_ushort(void);
int tp_nondet_int(void);
unsigned int tp_nondet_uint(void);
long tp_nondet_long(void);
unsigned long tp_nondet_ulong(void);
long long tp_nondet_longlong(void);
unsigned long long tp_nondet_ulonglong(void);
size_t tp_nondet_size_t(void);
float tp_nondet_float(void);
double tp_nondet_double(void);
void *tp_nondet_pointer(void);

/* Any value from low to high, both included. */
int tp_nondet_range(int low, int high);

#ifdef __cplusplus
}
#endif

#endif
