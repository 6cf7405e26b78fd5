/* What the run-time library can say to the front end: each of these calls
 * becomes one instruction. */
#ifndef RT_H
#define RT_H

#include <stddef.h>
#include <stdint.h>

void *__tp_malloc(size_t size);
void *__tp_aligned_malloc(size_t size, size_t align);
/* The same, but they never fail. */
void *__tp_new(size_t size);
void *__tp_aligned_new(size_t size, size_t align);
void free(void *pointer);
void __tp_free_for(void *pointer, void *heir);
void __tp_free_sized(void *pointer, size_t size);
size_t __tp_object_size(void *pointer);
void *memcpy(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);

_Bool __tp_is_own(void *function);

int __tp_sem_init(void *semaphore, unsigned value);
int __tp_sem_wait(void *semaphore);
int __tp_sem_trywait(void *semaphore);
int __tp_sem_timedwait(void *semaphore);
int __tp_sem_post(void *semaphore);
int __tp_sem_getvalue(void *semaphore);
int __tp_sem_destroy(void *semaphore);
int __tp_create_thread(unsigned long *thread, void *attributes, void *(*function)(void *), void *argument);
int __tp_once_begin(void *once);
int __tp_once_end(void *once);
int __tp_once_take_back(void *once);
int __tp_cond_timedwait(void *condition, void *mutex);
int __tp_mutex_timedlock(void *mutex);
int __tp_rwlock_timedrdlock(void *lock);
int __tp_rwlock_timedwrlock(void *lock);

_Bool __tp_nondet_bool(void);
int __tp_nondet_int(void);
unsigned __tp_nondet_uint(void);
long __tp_nondet_long(void);
long long __tp_nondet_longlong(void);

void __tp_exit(int code) __attribute__((noreturn));
void __tp_abort(void) __attribute__((noreturn));
void __tp_fail(const char *message) __attribute__((noreturn));
void __tp_unsupported(const char *what) __attribute__((noreturn));

int tp_nondet_range(int low, int high);
void tp_assume(int condition);
void tp_atomic_begin(void);
void tp_atomic_end(void);
/* No other thread runs in between, and nothing else is ordered. */
void __tp_undivided_begin(void);
void __tp_undivided_end(void);

/* To sleep, and to be told that a wait has ended because a time of a clock
 * came. In programs that read no clock, the first only offers the processor, the
 * second does nothing, and the clock of every condition is CLOCK_REALTIME. */
void __tp_pause(long long seconds, long long parts);
void __tp_time_came(int clock, long long seconds, long long parts);
int __tp_clock_of(const void *condition);

int *__errno_location(void);

/* PTHREAD_STACK_MIN of the GNU library. */
enum { LEAST_STACK = 16384 };

/* Whether the program creates threads anywhere. */
extern int __tp_creates_threads;

/* Of the library itself: memory_use.c, stream.c, timed.c, posix.c,
 * cxx.c. */
void __tp_read_text(const char *text, size_t most);
void __tp_read_bytes(const void *from, size_t length);
char __tp_any_char(void);
void __tp_fill(void *to, size_t length);
char *__tp_any_text(char *place, int most);
void __tp_maybe_failed(int result);
void __tp_use_stream(const void *stream);
int __tp_is_time(const void *time);
int __tp_can_wait(int clock, const void *time);
int __tp_waited(int code, int clock, long long seconds, long long parts);
int __tp_lowest_priority(int policy);
int __tp_highest_priority(int policy);
void __tp_end_thread_locals(void);

#endif
