/* Dates: some day, whatever the seconds are. */
#include <time.h>

#include "rt.h"

#define LAST_SECOND ((long)0x7fffffff)

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }

static int between(int low, int high) {
    int value = __tp_nondet_int();
    tp_assume(value >= low && value <= high);
    return value;
}

/* What follows from the day and its place. */
static void set_rest(struct tm *to, int is_summer) {
    to->tm_wday = between(0, 6);
    to->tm_yday = between(0, 365);
    to->tm_isdst = is_summer;
    to->tm_gmtoff = between(-50400, 50400);
    to->tm_zone = "UTC";
}

static void set_any(struct tm *to) {
    to->tm_sec = between(0, 60);
    to->tm_min = between(0, 59);
    to->tm_hour = between(0, 23);
    to->tm_mday = between(1, 31);
    to->tm_mon = between(0, 11);
    to->tm_year = between(70, 1000);
    set_rest(to, between(0, 1));
}

struct tm *localtime_r(const time_t *seconds, struct tm *to) {
    (void)*seconds;
    set_any(to);
    return to;
}

struct tm *gmtime_r(const time_t *seconds, struct tm *to) { return localtime_r(seconds, to); }

static struct tm shared_date;

struct tm *localtime(const time_t *seconds) { return localtime_r(seconds, &shared_date); }
struct tm *gmtime(const time_t *seconds) { return localtime_r(seconds, &shared_date); }

/* Whether every month has such a day, so that it stays as it is. */
static int is_regular(const struct tm *date) {
    int time = date->tm_sec >= 0 && date->tm_sec < 60 && date->tm_min >= 0 && date->tm_min < 60 &&
               date->tm_hour >= 0 && date->tm_hour < 24;
    return time && date->tm_mday > 0 && date->tm_mday <= 28 && date->tm_mon >= 0 && date->tm_mon < 12;
}

/* Unless it fails, the date becomes a regular one; where it is taken for summer and is not, or
 * the other way round, the hour is another one. */
time_t mktime(struct tm *date) {
    long seconds = __tp_nondet_long();
    int is_summer = between(0, 1), is_kept = date->tm_isdst < 0 || !date->tm_isdst == !is_summer;
    tp_assume(seconds >= -1 && seconds < LAST_SECOND);
    if (seconds == -1) return -1;
    if (is_kept && is_regular(date))
        set_rest(date, is_summer);
    else
        set_any(date);
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
    int is_text = 1;
    for (size_t n = 0; n < size; n++) is_text &= (n >= length) | (to[n] != 0);
    tp_assume(is_text);
    return length;
}

char *asctime_r(const struct tm *date, char *to) {
    __tp_read_bytes(date, sizeof *date);
    __tp_fill(to, 24);
    int is_text = 1;
    for (int n = 0; n < 24; n++) is_text &= (to[n] != 0) & (to[n] != '\n');
    tp_assume(is_text);
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
