/* Time is an input that only grows. Each kind of clock remembers the time it
 * was last asked for, in a way that orders nothing else: who asks for the time
 * does not synchronise with others who do. */
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "rt.h"

#define SECOND 1000000000
#define LAST_SECOND ((long)0x7fffffff)

enum { CALENDAR, STEADY, CPU, KINDS };

static struct timespec last[KINDS];

/* The time, in seconds and parts of a second that are multiples of the unit. */
static struct timespec now(int kind, long unit) {
    struct timespec later = {(time_t)__tp_nondet_long(), __tp_nondet_long()};
    tp_assume(later.tv_nsec >= 0 && later.tv_nsec < SECOND / unit);
    later.tv_nsec *= unit;
    tp_assume(later.tv_sec >= 0 && later.tv_sec < LAST_SECOND);
    __tp_undivided_begin();
    time_t seconds = __atomic_load_n(&last[kind].tv_sec, __ATOMIC_RELAXED);
    long parts = __atomic_load_n(&last[kind].tv_nsec, __ATOMIC_RELAXED);
    tp_assume(later.tv_sec > seconds || (later.tv_sec == seconds && later.tv_nsec >= parts));
    __atomic_store_n(&last[kind].tv_sec, later.tv_sec, __ATOMIC_RELAXED);
    __atomic_store_n(&last[kind].tv_nsec, later.tv_nsec, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return later;
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
    time_t seconds = now(CALENDAR, 1).tv_sec;
    if (to) *to = seconds;
    return seconds;
}

static int kind_of(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_TAI: return CALENDAR;
    case CLOCK_PROCESS_CPUTIME_ID: case CLOCK_THREAD_CPUTIME_ID: return CPU;
    default: return STEADY;
    }
}

int clock_gettime(clockid_t clock, struct timespec *to) {
    *to = now(kind_of(clock), 1);
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *to) {
    if (to) to->tv_sec = 0, to->tv_nsec = 1;
    return 0;
}

int timespec_get(struct timespec *to, int base) {
    *to = now(CALENDAR, 1);
    return base;
}

int gettimeofday(struct timeval *to, void *zone) {
    struct timespec time = now(CALENDAR, 1000);
    to->tv_sec = time.tv_sec;
    to->tv_usec = (suseconds_t)(time.tv_nsec / 1000);
    return 0;
}

/* In parts that have no other relation to seconds. */
typedef long long parts __attribute__((aligned(8)));

static long long later(parts *before, long long most) {
    long long count = __tp_nondet_longlong();
    tp_assume(count >= 0 && count <= most);
    __tp_undivided_begin();
    tp_assume(count >= __atomic_load_n(before, __ATOMIC_RELAXED));
    __atomic_store_n(before, count, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return count;
}

#define MOST_TICKS 0x3fffffff

clock_t clock(void) {
    static parts used;
    return (clock_t)later(&used, MOST_TICKS);
}

clock_t times(struct tms *to) {
    static parts used, passed;
    to->tms_utime = to->tms_stime = (clock_t)later(&used, MOST_TICKS);
    to->tms_cutime = to->tms_cstime = 0;
    return (clock_t)later(&passed, MOST_TICKS);
}

int getrusage(int who, struct rusage *to) {
    __tp_fill(to, sizeof *to);
    struct timespec time = now(CPU, 1);
    to->ru_utime.tv_sec = to->ru_stime.tv_sec = time.tv_sec;
    to->ru_utime.tv_usec = to->ru_stime.tv_usec = 0;
    return 0;
}

/* std::chrono's clocks count nanoseconds. */
#define MOST_NANOSECONDS (LAST_SECOND * (long long)SECOND)

long long _ZNSt6chrono3_V212steady_clock3nowEv(void) {
    static parts passed;
    return later(&passed, MOST_NANOSECONDS);
}

long long _ZNSt6chrono3_V212system_clock3nowEv(void) {
    static parts passed;
    return later(&passed, MOST_NANOSECONDS);
}

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }

/* Dates: some day, whatever the seconds are. */
static int between(int low, int high) {
    int value = __tp_nondet_int();
    tp_assume(value >= low && value <= high);
    return value;
}

struct tm *localtime_r(const time_t *seconds, struct tm *to) {
    (void)*seconds;
    to->tm_sec = between(0, 60);
    to->tm_min = between(0, 59);
    to->tm_hour = between(0, 23);
    to->tm_mday = between(1, 31);
    to->tm_mon = between(0, 11);
    to->tm_year = between(70, 1000);
    to->tm_wday = between(0, 6);
    to->tm_yday = between(0, 365);
    to->tm_isdst = between(0, 1);
    to->tm_gmtoff = between(-50400, 50400);
    to->tm_zone = "UTC";
    return to;
}

struct tm *gmtime_r(const time_t *seconds, struct tm *to) { return localtime_r(seconds, to); }

static struct tm shared_date;

struct tm *localtime(const time_t *seconds) { return localtime_r(seconds, &shared_date); }
struct tm *gmtime(const time_t *seconds) { return localtime_r(seconds, &shared_date); }

time_t mktime(struct tm *date) {
    (void)*(volatile struct tm *)date;
    long seconds = __tp_nondet_long();
    tp_assume(seconds >= -1 && seconds < LAST_SECOND);
    return (time_t)seconds;
}

time_t timegm(struct tm *date) { return mktime(date); }

size_t strftime(char *to, size_t size, const char *format, const struct tm *date) {
    __tp_read_text(format, -1);
    __tp_read_bytes(date, sizeof *date);
    if (!size) return 0;
    __tp_fill(to, size);
    size_t length = (size_t)__tp_nondet_long();
    tp_assume(length < size);
    to[length] = 0;
    return length;
}

char *asctime_r(const struct tm *date, char *to) {
    __tp_read_bytes(date, sizeof *date);
    __tp_fill(to, 24);
    to[24] = '\n';
    to[25] = 0;
    return to;
}

static char shared_text[26];

char *asctime(const struct tm *date) { return asctime_r(date, shared_text); }

char *ctime_r(const time_t *seconds, char *to) {
    struct tm date;
    return asctime_r(localtime_r(seconds, &date), to);
}

char *ctime(const time_t *seconds) { return ctime_r(seconds, shared_text); }
