/* The system call futex: threads wait until others wake them at a word of
 * memory. All that wait are in one list, which is looked at and changed
 * undivided, so that for everybody who wakes, comparing the word and beginning
 * to wait are one step. Which of the threads at a word are woken is open, and a
 * wait may end by itself.
 *
 * Who wakes a thread synchronises with it, through the lock of that waiter. No
 * other calls are ordered: not those at different words, none that finds nobody
 * to wake, and none that finds another value in the word. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>

#include "rt.h"

#define INLINE static inline __attribute__((always_inline))

struct waiter {
    const int *word;
    /* Under the lock. */
    int woken;
    pthread_mutex_t lock;
    pthread_cond_t futex;
    struct waiter *next;
};

static struct waiter *waiters;

static long fail(int error) {
    *__errno_location() = error;
    return -1;
}

INLINE struct waiter *after(struct waiter **at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }

INLINE void put(struct waiter **at, struct waiter *waiter) { __atomic_store_n(at, waiter, __ATOMIC_RELAXED); }

INLINE int is_at(struct waiter *waiter, const int *word) {
    return __atomic_load_n(&waiter->word, __ATOMIC_RELAXED) == word;
}

/* Takes a waiter out of the list; whether it was in it. */
INLINE int leave(struct waiter *waiter) {
    struct waiter **at = &waiters;
    while (after(at) && after(at) != waiter) at = &after(at)->next;
    if (!after(at)) return 0;
    put(at, after(&waiter->next));
    return 1;
}

/* Whether the word has the value, so that the waiter is now in the list. */
static int enter(struct waiter *waiter, const int *word, int value) {
    __tp_undivided_begin();
    int same = __atomic_load_n(word, __ATOMIC_RELAXED) == value;
    if (same) {
        __atomic_store_n(&waiter->word, word, __ATOMIC_RELAXED);
        put(&waiter->next, after(&waiters));
        put(&waiters, waiter);
    }
    __tp_undivided_end();
    return same;
}

static int give_up(struct waiter *waiter) {
    __tp_undivided_begin();
    int waited = leave(waiter);
    __tp_undivided_end();
    return waited;
}

static long futex_wait(const int *word, int value, const struct timespec *timeout) {
    struct waiter self;
    int error;
    self.woken = 0;
    self.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    self.futex = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    if (timeout && (!__tp_is_time(timeout) || timeout->tv_sec < 0)) return fail(EINVAL);
    pthread_mutex_lock(&self.lock);
    if (!enter(&self, word, value)) {
        pthread_mutex_unlock(&self.lock);
        return fail(EAGAIN);
    }
    if (timeout) error = __tp_cond_timedwait(&self.futex, &self.lock);
    else error = pthread_cond_wait(&self.futex, &self.lock);
    /* Whoever has chosen this waiter is about to wake it. */
    if (!self.woken && !give_up(&self))
        while (!self.woken) pthread_cond_wait(&self.futex, &self.lock);
    pthread_mutex_unlock(&self.lock);
    return error && !self.woken ? fail(error) : 0;
}

INLINE int count(const int *word) {
    int waiting = 0;
    for (struct waiter *at = after(&waiters); at; at = after(&at->next)) waiting += is_at(at, word);
    return waiting;
}

/* Takes so many of the waiters at the word out of the list, into one of its own. */
static struct waiter *choose(const int *word, int most) {
    struct waiter *chosen = NULL;
    __tp_undivided_begin();
    for (int waiting = count(word); waiting > 0 && most > 0; waiting--, most--) {
        struct waiter *at = after(&waiters);
        int many = waiting <= most ? 1 : waiting;
        while (!is_at(at, word) || (--many > 0 && __tp_nondet_bool())) at = after(&at->next);
        leave(at);
        put(&at->next, chosen);
        chosen = at;
    }
    __tp_undivided_end();
    return chosen;
}

static long futex_wake(const int *word, int most) {
    int woken = 0;
    /* The kernel counts after it has woken the first. */
    struct waiter *waiter = choose(word, most < 1 ? 1 : most);
    for (; waiter; woken++) {
        struct waiter *next = after(&waiter->next);
        pthread_mutex_lock(&waiter->lock);
        waiter->woken = 1;
        pthread_cond_signal(&waiter->futex);
        pthread_mutex_unlock(&waiter->lock);
        waiter = next;
    }
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
