/* What the parts of the runtime share.
 *
 * The runtime is compiled together with the program that it holds to an order.
 * Every thread has a number, in the order of creation; that of main is 0. */
#ifndef TP_COMMON_H
#define TP_COMMON_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* No more threads than this are told apart. */
#define TP_THREADS 1024

/* The number of a thread that the runtime did not see being created. */
#define TP_STRANGER -1

/* The status with which the runtime ends a program that departed. */
#define TP_DEPARTED 86

/* The number of the calling thread. */
extern __thread int tp_self;

/* What the mode (replay or enforcement) does when a thread starts, ends, and
 * when main returns. */
void tp_thread_starts(void);
void tp_thread_ends(void);

/* After the destructors of its own data. */
void tp_thread_is_over(void);

/* What it does where the system cannot create a thread. */
void tp_no_thread(void);
void tp_main_ends(void);

/* Whether all threads that were created have begun, and how many these are. */
bool tp_all_have_begun(int *created);

/* Before main, with its arguments. */
void tp_main_begins(int count, char **arguments);

/* Whether the mode decides when a wait on a condition ends that the calling thread begins now,
 * and such a wait. */
bool tp_decides_wait(void);
int tp_wait_on_condition(pthread_mutex_t *mutex);

/* Prints to the file named by an environment variable, opened once, without
 * allocating. */
void tp_note(const char *format, ...);

/* Waits until a word has another value, first by looking, then asleep. */
void tp_await_change(_Atomic uint32_t *word, uint32_t value);

/* Wakes all that sleep until a word has another value. */
void tp_wake(_Atomic uint32_t *word);

/* How often a word is looked at before the thread sleeps. */
int tp_spins(void);

/* Lets the processor breathe while a word is looked at. */
static inline void tp_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Whether a thread sleeps, as the kernel has it. */
bool tp_sleeps(int kernel_id);

/* Whether a thread runs, or would if it had a processor. */
bool tp_runs(int kernel_id);

/* The real function with this name. */
void *tp_real(const char *name);

#endif
