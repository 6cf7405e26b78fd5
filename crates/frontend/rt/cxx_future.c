/* The parts of libstdc++'s futures that are not in its headers. There are no
 * exceptions, so none is ever kept for later. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <time.h>

#include "rt.h"

long __tp_futex(int *word, int operation, int value, const struct timespec *timeout, int *other, int bits);

/* A result is its virtual functions and a pointer to an exception. */
struct result {
    void *methods, *exception;
};

void _ZNSt13__future_base12_Result_baseC2Ev(struct result *result) { result->exception = 0; }
void _ZNSt13__future_base12_Result_baseC1Ev(struct result *result) { result->exception = 0; }
void _ZNSt13__future_base12_Result_baseD2Ev(struct result *result) {}
void _ZNSt13__future_base12_Result_baseD1Ev(struct result *result) {}

static void must_be_none(void *exception) {
    if (exception) __tp_unsupported("C++ exception");
}

void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer) { must_be_none(*pointer); }
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer) { must_be_none(*pointer); }

#if __SIZEOF_POINTER__ == 8
/* Threads wait for a result at a word. Whether the time comes before it does is open. */
static _Bool wait(int *word, int value, _Bool has_timeout, int clock, long seconds, long parts) {
    struct timespec until = {0, 0};
    long code = __tp_futex(word, FUTEX_WAIT, value, has_timeout ? &until : 0, 0, 0);
    if (code != -1 || *__errno_location() != ETIMEDOUT) return 1;
    __tp_time_came(clock, seconds, parts);
    return 0;
}

#define UNTIL(name) \
    _ZNSt28__atomic_futex_unsigned_base##name##EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE
_Bool UNTIL(19_M_futex_wait_until)(void *futex, int *word, int value, _Bool has_timeout, long seconds, long parts) {
    return wait(word, value, has_timeout, CLOCK_REALTIME, seconds, parts);
}
_Bool UNTIL(26_M_futex_wait_until_steady)(void *futex, int *word, int value, _Bool has_timeout, long seconds,
                                          long parts) {
    return wait(word, value, has_timeout, CLOCK_MONOTONIC, seconds, parts);
}
#endif

/* The word may be gone by now; it is not looked at. */
void _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(int *word) {
    __tp_futex(word, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}
