/* The system call futex: threads wait until others wake them at a word of
 * memory. All that wait are in one list under one lock, so that for everybody
 * who wakes, comparing the word and beginning to wait are one step. Which of
 * the threads at a word are woken is open, and a wait may end by itself. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>

#include "rt.h"

struct waiter {
    const int *word;
    int woken;
    pthread_cond_t futex;
    struct waiter *next;
};

static pthread_mutex_t futex_lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiter *waiters;

static long fail(int error) {
    *__errno_location() = error;
    return -1;
}

static void leave(const struct waiter *waiter) {
    struct waiter **at = &waiters;
    while (*at != waiter) at = &(*at)->next;
    *at = waiter->next;
}

static long futex_wait(const int *word, int value, const struct timespec *timeout) {
    struct waiter self = {word, 0, PTHREAD_COND_INITIALIZER, NULL};
    int error, woken;
    if (timeout) __tp_read_bytes(timeout, sizeof *timeout);
    pthread_mutex_lock(&futex_lock);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
        pthread_mutex_unlock(&futex_lock);
        return fail(EAGAIN);
    }
    self.next = waiters;
    waiters = &self;
    if (timeout) error = pthread_cond_timedwait(&self.futex, &futex_lock, timeout);
    else error = pthread_cond_wait(&self.futex, &futex_lock);
    woken = self.woken;
    if (!woken) leave(&self);
    pthread_mutex_unlock(&futex_lock);
    return error && !woken ? fail(error) : 0;
}

/* One of the first so many waiters at the word. */
static struct waiter *choose(const int *word, int many) {
    struct waiter *at = waiters;
    while (at->word != word || (--many > 0 && __tp_nondet_bool())) at = at->next;
    return at;
}

static int count(const int *word) {
    int waiting = 0;
    for (const struct waiter *at = waiters; at; at = at->next) waiting += at->word == word;
    return waiting;
}

static long futex_wake(const int *word, int most) {
    int woken = 0;
    /* The kernel counts after it has woken the first. */
    if (most < 1) most = 1;
    pthread_mutex_lock(&futex_lock);
    for (int waiting = count(word); waiting > 0 && woken < most; waiting--, woken++) {
        int all = waiting <= most - woken;
        struct waiter *waiter = choose(word, all ? 1 : waiting);
        leave(waiter);
        waiter->woken = 1;
        pthread_cond_signal(&waiter->futex);
    }
    pthread_mutex_unlock(&futex_lock);
    return woken;
}

/* What calls of syscall with the number of futex are lowered to. */
long __tp_futex(int *word, int operation, int value, const struct timespec *timeout, int *other, int bits) {
    if ((uintptr_t)word % sizeof *word != 0) return fail(EINVAL);
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return futex_wait(word, value, timeout);
    case FUTEX_WAKE: return futex_wake(word, value);
    case FUTEX_WAIT_BITSET:
        if (bits == (int)FUTEX_BITSET_MATCH_ANY) return futex_wait(word, value, timeout);
        break;
    case FUTEX_WAKE_BITSET:
        if (bits == (int)FUTEX_BITSET_MATCH_ANY) return futex_wake(word, value);
        break;
    }
    __tp_unsupported("an operation of futex other than FUTEX_WAIT and FUTEX_WAKE");
}
