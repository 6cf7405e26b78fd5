/* Time is an input that only grows. For each clock the least time that it can
 * show now is kept: the time that it was last asked for, and the end of every
 * wait for a time that came since. Reading and moving a clock order nothing
 * else: threads that ask for the time do not synchronise with each other.
 *
 * Only programs that read a clock pay for this: in others, waits and sleeps
 * leave the clocks alone (lower/known_calls.rs). */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "rt.h"

#define SECOND 1000000000
#define LAST_SECOND 0x7fffffff

enum { CLOCKS = CLOCK_TAI + 1 };

typedef long long number __attribute__((aligned(8)));

struct moment {
    number seconds;
    number parts;
};

static struct moment earliest[CLOCKS];
/* The processor's time of this thread. */
static _Thread_local struct moment own_earliest;

/* The clocks of std::chrono count nanoseconds. What they show has no relation to
 * what other functions tell: that would take multiplications and divisions of
 * unknown times, which are hard for solvers. */
enum { SYSTEM, STEADY, COUNTS };
static number least_count[COUNTS];
static int counts_are_read;

/* So many sleeps move the clocks after one was read. More do not until one is
 * read again: a thread that sleeps in a loop would have a new state in every
 * round. Nor do sleeps before the first look at a clock, which may show any
 * time then. */
#define MOST_SLEEPS 2
static int sleeps_left;

static struct moment *earliest_of(clockid_t clock) {
    return clock == CLOCK_THREAD_CPUTIME_ID ? &own_earliest : &earliest[clock];
}

static struct moment get(struct moment *from) {
    return (struct moment){__atomic_load_n(&from->seconds, __ATOMIC_RELAXED),
                           __atomic_load_n(&from->parts, __ATOMIC_RELAXED)};
}

static void set(struct moment *to, struct moment time) {
    __atomic_store_n(&to->seconds, time.seconds, __ATOMIC_RELAXED);
    __atomic_store_n(&to->parts, time.parts, __ATOMIC_RELAXED);
}

static int is_after(struct moment a, struct moment b) {
    /* One value without branches: the times may be unknown. */
    return (a.seconds > b.seconds) | ((a.seconds == b.seconds) & (a.parts > b.parts));
}

/* The time, in seconds and parts of a second that are units of so many
 * nanoseconds: what is below a unit is cut off. */
static struct timespec now(clockid_t clock, long unit) {
    long seconds = __tp_nondet_long(), units = __tp_nondet_long(), rest = 0;
    tp_assume(seconds >= 0 && seconds < LAST_SECOND);
    tp_assume(units >= 0 && units < SECOND / unit);
    if (unit > 1) {
        rest = __tp_nondet_long();
        tp_assume(rest >= 0 && rest < unit);
    }
    struct moment time = {seconds, units * unit + rest};
    __tp_undivided_begin();
    tp_assume(!is_after(get(earliest_of(clock)), time));
    set(earliest_of(clock), time);
    __atomic_store_n(&sleeps_left, MOST_SLEEPS, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return (struct timespec){(time_t)seconds, units};
}

/* The processor's counter of cycles. */
unsigned long long __tp_cycles(void) {
    typedef unsigned long long count __attribute__((aligned(8)));
    static count before;
    unsigned long long cycles = (unsigned long long)__tp_nondet_longlong();
    __tp_undivided_begin();
    tp_assume(cycles >= __atomic_load_n(&before, __ATOMIC_RELAXED));
    __atomic_store_n(&before, cycles, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return cycles;
}

time_t time(time_t *to) {
    time_t seconds = now(CLOCK_REALTIME, 1).tv_sec;
    if (to) *to = seconds;
    return seconds;
}

static int is_clock(clockid_t clock) { return clock >= 0 && clock < CLOCKS && clock != 10; }

int clock_gettime(clockid_t clock, struct timespec *to) {
    if (!is_clock(clock)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    *to = now(clock, 1);
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *to) {
    if (!is_clock(clock)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (to) to->tv_sec = 0, to->tv_nsec = 1;
    return 0;
}

int timespec_get(struct timespec *to, int base) {
    if (base != TIME_UTC) return 0;
    *to = now(CLOCK_REALTIME, 1);
    return base;
}

int gettimeofday(struct timeval *to, void *zone) {
    struct timespec time = now(CLOCK_REALTIME, 1000);
    to->tv_sec = time.tv_sec;
    to->tv_usec = (suseconds_t)time.tv_nsec;
    return 0;
}

static long long later(number *before, long long most) {
    long long count = __tp_nondet_longlong();
    tp_assume(count >= 0 && count <= most);
    __tp_undivided_begin();
    tp_assume(count >= __atomic_load_n(before, __ATOMIC_RELAXED));
    __atomic_store_n(before, count, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return count;
}

static long long chrono_count(int clock) {
    __atomic_store_n(&counts_are_read, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&sleeps_left, MOST_SLEEPS, __ATOMIC_RELAXED);
    return later(&least_count[clock], LAST_SECOND * (long long)SECOND);
}

long long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return chrono_count(STEADY); }
long long _ZNSt6chrono3_V212system_clock3nowEv(void) { return chrono_count(SYSTEM); }

#define MOST_TICKS 0x3fffffff

clock_t clock(void) {
    static number used;
    return (clock_t)later(&used, MOST_TICKS);
}

clock_t times(struct tms *to) {
    static number used, passed;
    to->tms_utime = to->tms_stime = (clock_t)later(&used, MOST_TICKS);
    to->tms_cutime = to->tms_cstime = 0;
    return (clock_t)later(&passed, MOST_TICKS);
}

int getrusage(int who, struct rusage *to) {
    __tp_fill(to, sizeof *to);
    struct timespec time = now(CLOCK_PROCESS_CPUTIME_ID, 1);
    to->ru_utime.tv_sec = to->ru_stime.tv_sec = time.tv_sec;
    to->ru_utime.tv_usec = to->ru_stime.tv_usec = 0;
    return 0;
}

static void move(clockid_t clock, struct moment time) {
    if (is_after(time, get(&earliest[clock]))) set(&earliest[clock], time);
}

static void move_count(int clock, long long count) {
    if (count > __atomic_load_n(&least_count[clock], __ATOMIC_RELAXED))
        __atomic_store_n(&least_count[clock], count, __ATOMIC_RELAXED);
}

/* A wait has ended because this time of a clock came. */
void __tp_pass_deadline(clockid_t clock, long long seconds, long long parts) {
    if (!is_clock(clock)) return;
    __tp_undivided_begin();
    if (!__atomic_load_n(&counts_are_read, __ATOMIC_RELAXED))
        move(clock, (struct moment){seconds, parts});
    else if (seconds <= LAST_SECOND)
        move_count(clock == CLOCK_REALTIME ? SYSTEM : STEADY, seconds * SECOND + parts);
    __tp_undivided_end();
}

static struct moment sum(struct moment start, long long seconds, long long parts) {
    struct moment end = {start.seconds + seconds, start.parts + parts};
    int carry = end.parts >= SECOND;
    end.seconds += carry;
    end.parts -= carry * SECOND;
    return end;
}

static long long count_of(int clock) { return __atomic_load_n(&least_count[clock], __ATOMIC_RELAXED); }

/* Other threads run while one sleeps: only from the times at its start do the
 * clocks move by what it slept. */
void __tp_sleep(long long seconds, long long parts) {
    if (seconds > LAST_SECOND) seconds = LAST_SECOND;
    __tp_undivided_begin();
    struct moment calendar = get(&earliest[CLOCK_REALTIME]), steady = get(&earliest[CLOCK_MONOTONIC]);
    long long system_count = count_of(SYSTEM), steady_count = count_of(STEADY);
    __tp_undivided_end();
    sched_yield();
    __tp_undivided_begin();
    int left = __atomic_load_n(&sleeps_left, __ATOMIC_RELAXED);
    if (left) {
        __atomic_store_n(&sleeps_left, left - 1, __ATOMIC_RELAXED);
        move(CLOCK_REALTIME, sum(calendar, seconds, parts));
        move(CLOCK_MONOTONIC, sum(steady, seconds, parts));
        if (__atomic_load_n(&counts_are_read, __ATOMIC_RELAXED)) {
            move_count(SYSTEM, system_count + seconds * SECOND + parts);
            move_count(STEADY, steady_count + seconds * SECOND + parts);
        }
    }
    __tp_undivided_end();
}

void __tp_sleep_seconds(unsigned seconds) { __tp_sleep(seconds, 0); }

void __tp_sleep_microseconds(unsigned count) { __tp_sleep(count / 1000000, count % 1000000 * 1000L); }

/* Conditions wait for times of the clock that their attributes name. It is kept
 * behind the word that stands for the condition. */
enum { CLOCK_AT = 2 };

void __tp_keep_clock(pthread_cond_t *cond, const int *attributes) {
    ((int *)cond)[CLOCK_AT] = attributes ? *attributes & 1 : CLOCK_REALTIME;
}

clockid_t __tp_kept_clock(const pthread_cond_t *cond) { return ((const int *)cond)[CLOCK_AT]; }
