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

/* Whether a clock missed sleeps, and whether one of them was long. */
enum { NONE, SHORT, LONG };

typedef long long number __attribute__((aligned(8)));

struct moment {
    number seconds;
    number parts;
};

struct clock {
    struct moment earliest;
    /* Only clocks that were looked at have to be moved. */
    int is_read;
    /* Sleeps that did not move the clock since it was looked at. */
    int missed;
};

static struct clock clocks[CLOCKS];
/* The processor's time of this thread. */
static _Thread_local struct clock own_clock;

/* The clocks of std::chrono count nanoseconds. What they show has no relation to
 * what other functions tell: that would take multiplications and divisions of
 * unknown times, which are hard for solvers. */
enum { SYSTEM, STEADY, COUNTS };

struct count {
    number least;
    int is_read;
    int missed;
};

static struct count counts[COUNTS];

/* So many sleeps move the clocks after one was read. More do not until one is
 * read again: a thread that sleeps in a loop would have a new state in every
 * round. Nor do sleeps before the first look at a clock, which may show any
 * time then.
 *
 * A clock that missed sleeps shows, at the next look, a time that is far beyond
 * all that can have been slept, or any time from before the sleeps on. In the
 * second case it may show what no clock can, and `clocks_are_behind` is set: an
 * assertion that fails then says nothing. The first case is there so that
 * assertions that fail whatever the time is are found nevertheless. */
#define MOST_SLEEPS 2
/* A longer sleep could not be repeated often enough without passing FAR. */
#define LONGEST_SHORT 60
/* In seconds, about half a year. */
#define FAR 0x1000000
static int sleeps_left;
static int clocks_are_behind;

static struct clock *clock_of(clockid_t clock) {
    return clock == CLOCK_THREAD_CPUTIME_ID ? &own_clock : &clocks[clock];
}

static int get_flag(const int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static void set_flag(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }

/* Before a violation is told. */
void __tp_check_clocks(void) {
    if (get_flag(&clocks_are_behind))
        __tp_unsupported("a clock that is looked at after sleeps that did not move it");
}

/* Whether the next look at a clock passes over all that it missed. */
static int goes_far(const int *missed) { return get_flag(missed) == SHORT && __tp_nondet_bool(); }

/* A clock is looked at. */
static void note_look(int *is_read, int *missed, int far) {
    if (!far && get_flag(missed)) set_flag(&clocks_are_behind, 1);
    set_flag(is_read, 1);
    set_flag(missed, NONE);
    set_flag(&sleeps_left, MOST_SLEEPS);
}

/* A clock that was looked at misses a sleep of so many seconds. */
static void miss(const int *is_read, int *missed, long long seconds) {
    if (get_flag(is_read) && get_flag(missed) != LONG) set_flag(missed, seconds > LONGEST_SHORT ? LONG : SHORT);
}

static struct moment get(const struct moment *from) {
    return (struct moment){__atomic_load_n(&from->seconds, __ATOMIC_RELAXED),
                           __atomic_load_n(&from->parts, __ATOMIC_RELAXED)};
}

static void set(struct moment *to, struct moment time) {
    __atomic_store_n(&to->seconds, time.seconds, __ATOMIC_RELAXED);
    __atomic_store_n(&to->parts, time.parts, __ATOMIC_RELAXED);
}

static long long count_of(const struct count *count) { return __atomic_load_n(&count->least, __ATOMIC_RELAXED); }

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
    struct clock *shown = clock_of(clock);
    int far = goes_far(&shown->missed);
    __tp_undivided_begin();
    struct moment earliest = get(&shown->earliest);
    if (far) earliest.seconds += FAR;
    tp_assume(!is_after(earliest, time));
    set(&shown->earliest, time);
    note_look(&shown->is_read, &shown->missed, far);
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

static long long any_count(long long most) {
    long long count = __tp_nondet_longlong();
    tp_assume(count >= 0 && count <= most);
    return count;
}

/* What is counted has grown, and by `step` at least. */
static void grow(number *before, long long step, long long count) {
    tp_assume(count >= __atomic_load_n(before, __ATOMIC_RELAXED) + step);
    __atomic_store_n(before, count, __ATOMIC_RELAXED);
}

static long long chrono_count(int clock) {
    struct count *shown = &counts[clock];
    long long count = any_count(LAST_SECOND * (long long)SECOND);
    int far = goes_far(&shown->missed);
    __tp_undivided_begin();
    grow(&shown->least, far ? FAR * (long long)SECOND : 0, count);
    note_look(&shown->is_read, &shown->missed, far);
    __tp_undivided_end();
    return count;
}

long long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return chrono_count(STEADY); }
long long _ZNSt6chrono3_V212system_clock3nowEv(void) { return chrono_count(SYSTEM); }

#define MOST_TICKS 0x3fffffff

static clock_t ticks(number *before) {
    long long count = any_count(MOST_TICKS);
    __tp_undivided_begin();
    grow(before, 0, count);
    __tp_undivided_end();
    return (clock_t)count;
}

clock_t clock(void) {
    static number used;
    return ticks(&used);
}

clock_t times(struct tms *to) {
    static number used, passed;
    to->tms_utime = to->tms_stime = ticks(&used);
    to->tms_cutime = to->tms_cstime = 0;
    return ticks(&passed);
}

int getrusage(int who, struct rusage *to) {
    __tp_fill(to, sizeof *to);
    struct timespec time = now(CLOCK_PROCESS_CPUTIME_ID, 1);
    to->ru_utime.tv_sec = to->ru_stime.tv_sec = time.tv_sec;
    to->ru_utime.tv_usec = to->ru_stime.tv_usec = 0;
    return 0;
}

static void move(struct clock *clock, struct moment time) {
    if (is_after(time, get(&clock->earliest))) set(&clock->earliest, time);
}

static void move_count(struct count *moved, long long count) {
    if (count > count_of(moved)) __atomic_store_n(&moved->least, count, __ATOMIC_RELAXED);
}

/* A wait has ended because this time of a clock came. */
void __tp_pass_deadline(clockid_t clock, long long seconds, long long parts) {
    if (!is_clock(clock)) return;
    __tp_undivided_begin();
    if (!get_flag(&counts[SYSTEM].is_read) && !get_flag(&counts[STEADY].is_read))
        move(&clocks[clock], (struct moment){seconds, parts});
    else if (seconds <= LAST_SECOND)
        move_count(&counts[clock == CLOCK_REALTIME ? SYSTEM : STEADY], seconds * SECOND + parts);
    __tp_undivided_end();
}

static struct moment sum(struct moment start, long long seconds, long long parts) {
    struct moment end = {start.seconds + seconds, start.parts + parts};
    int carry = end.parts >= SECOND;
    end.seconds += carry;
    end.parts -= carry * SECOND;
    return end;
}

/* Clocks that move by exactly what was slept. Others that sleeps move do not
 * tick as often, or not as fast: they miss every sleep. */
static const clockid_t MOVED[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI};
static const clockid_t INEXACT[] = {CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE,
                                    CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM};
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The clocks at the start of a sleep. */
struct start {
    struct moment times[LENGTH(MOVED)];
    long long counts[COUNTS];
};

static struct start clocks_now(void) {
    struct start start;
    __tp_undivided_begin();
    for (size_t i = 0; i < LENGTH(MOVED); i++) start.times[i] = get(&clocks[MOVED[i]].earliest);
    for (int i = 0; i < COUNTS; i++) start.counts[i] = count_of(&counts[i]);
    __tp_undivided_end();
    return start;
}

static void move_all(const struct start *from, long long seconds, long long parts) {
    for (size_t i = 0; i < LENGTH(MOVED); i++) {
        struct clock *clock = &clocks[MOVED[i]];
        if (get_flag(&clock->is_read)) move(clock, sum(from->times[i], seconds, parts));
    }
    for (int i = 0; i < COUNTS; i++)
        if (get_flag(&counts[i].is_read)) move_count(&counts[i], from->counts[i] + seconds * SECOND + parts);
}

static void miss_all(long long seconds) {
    for (size_t i = 0; i < LENGTH(MOVED); i++) miss(&clocks[MOVED[i]].is_read, &clocks[MOVED[i]].missed, seconds);
    for (int i = 0; i < COUNTS; i++) miss(&counts[i].is_read, &counts[i].missed, seconds);
}

/* Other threads run while one sleeps: only from the times at its start do the
 * clocks move by what it slept. */
void __tp_sleep(long long seconds, long long parts) {
    if (seconds > LAST_SECOND) seconds = LAST_SECOND;
    struct start start = clocks_now();
    sched_yield();
    __tp_undivided_begin();
    int left = get_flag(&sleeps_left);
    if (left) {
        set_flag(&sleeps_left, left - 1);
        move_all(&start, seconds, parts);
    } else {
        miss_all(seconds);
    }
    for (size_t i = 0; i < LENGTH(INEXACT); i++)
        miss(&clocks[INEXACT[i]].is_read, &clocks[INEXACT[i]].missed, seconds);
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
