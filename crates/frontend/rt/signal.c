/* Signals that the program sends to itself. Their handlers run in the thread
 * that sends them, before the call returns. What would start a handler in
 * another thread, or at any time, cannot be followed; signals from outside are
 * assumed not to come.
 *
 * Which handler a signal has is read and written atomically, as the system
 * does: changing one while another thread raises the signal is no data race. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "rt.h"

enum { SIGNALS = 65 };

typedef void (*handler)(int);
typedef void (*long_handler)(int, siginfo_t *, void *);
typedef unsigned long long set;

struct action {
    handler handler;
    set mask __attribute__((aligned(8)));
    int flags;
};

static struct action actions[SIGNALS];

int __tp_creates_threads;

/* Whether a timer is running that sends the signal. */
static int timers[SIGNALS];

/* Whether a thread has blocked signals: those that it starts inherit that. */
static int any_blocked;

static _Thread_local set blocked, pending;
static _Thread_local int mask_is_own;

/* Nobody has blocked a signal where a thread first looks at its mask: then it
 * has inherited an empty one. Otherwise it may have inherited anything. */
static set *mask(void) {
    if (!mask_is_own && __atomic_load_n(&any_blocked, __ATOMIC_RELAXED))
        __tp_unsupported("a signal mask that a thread inherits");
    mask_is_own = 1;
    return &blocked;
}

static set bit(int signal) { return 1ull << (signal - 1); }

static int fail(int code) {
    *__errno_location() = code;
    return -1;
}

static int is_signal(int signal) { return signal > 0 && signal < SIGNALS; }

static struct action get(int signal) {
    struct action action;
    action.handler = __atomic_load_n(&actions[signal].handler, __ATOMIC_SEQ_CST);
    action.mask = __atomic_load_n(&actions[signal].mask, __ATOMIC_SEQ_CST);
    action.flags = __atomic_load_n(&actions[signal].flags, __ATOMIC_SEQ_CST);
    return action;
}

static int is_function(handler handler) { return handler != SIG_DFL && handler != SIG_IGN; }

static void put(int signal, struct action action) {
    if (is_function(action.handler) && __atomic_load_n(&timers[signal], __ATOMIC_RELAXED))
        __tp_unsupported("a signal handler that a timer starts");
    __atomic_store_n(&actions[signal].mask, action.mask, __ATOMIC_SEQ_CST);
    __atomic_store_n(&actions[signal].flags, action.flags, __ATOMIC_SEQ_CST);
    __atomic_store_n(&actions[signal].handler, action.handler, __ATOMIC_SEQ_CST);
}

/* What a signal does that has no handler. */
static void act_by_default(int signal) {
    switch (signal) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: __tp_unsupported("a signal that stops the process");
    default: __tp_abort();
    }
}

static void run(int signal, struct action action) {
    set before = *mask();
    blocked |= action.mask;
    if (!(action.flags & SA_NODEFER)) blocked |= bit(signal);
    if (action.flags & SA_RESETHAND) put(signal, (struct action){SIG_DFL, 0, 0});
    if (action.flags & SA_SIGINFO) {
        siginfo_t info = {0};
        info.si_signo = signal;
        info.si_code = SI_TKILL;
        ((long_handler)action.handler)(signal, &info, 0);
    } else {
        action.handler(signal);
    }
    blocked = before;
}

static void take_pending(void) {
    for (int signal = 1; pending & ~blocked && signal < SIGNALS; signal++)
        if (pending & ~blocked & bit(signal)) {
            pending &= ~bit(signal);
            raise(signal);
        }
}

int raise(int signal) {
    if (!is_signal(signal)) return fail(EINVAL);
    struct action action = get(signal);
    if (action.handler == SIG_IGN) return 0;
    if (*mask() & bit(signal)) {
        pending |= bit(signal);
    } else if (action.handler == SIG_DFL) {
        act_by_default(signal);
    } else {
        run(signal, action);
        take_pending();
    }
    return 0;
}

/* What is sent to the process goes to any of its threads that has not blocked
 * it, and waits for one if all have. Where it ends the process, it makes no
 * difference which. */
static int send_to_process(int signal) {
    if (__tp_creates_threads && is_signal(signal)) {
        handler handler = get(signal).handler;
        if (is_function(handler) || (handler == SIG_DFL && *mask() & bit(signal)))
            __tp_unsupported("a signal to a process with several threads");
    }
    return raise(signal);
}

int kill(pid_t process, int signal) {
    if (signal < 0 || signal >= SIGNALS) return fail(EINVAL);
    pid_t own = getpid();
    if (process != own && process != 0 && process != -1 && process != -own)
        return __tp_nondet_int() ? fail(ESRCH) : 0;
    return signal == 0 ? 0 : send_to_process(signal);
}

int killpg(pid_t group, int signal) { return kill(-group, signal); }

int pthread_kill(pthread_t thread, int signal) {
    if (signal < 0 || signal >= SIGNALS) return EINVAL;
    if (signal == 0) return 0;
    if (pthread_equal(thread, pthread_self())) {
        raise(signal);
        return 0;
    }
    struct action action = get(signal);
    if (is_function(action.handler)) __tp_unsupported("a signal handler in another thread");
    if (action.handler == SIG_DFL) {
        if (__atomic_load_n(&any_blocked, __ATOMIC_RELAXED))
            __tp_unsupported("a signal that another thread may have blocked");
        act_by_default(signal);
    }
    return 0;
}

int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
    if (!is_signal(signal) || (new && (signal == SIGKILL || signal == SIGSTOP))) return fail(EINVAL);
    struct action before = get(signal);
    if (new) {
        put(signal, (struct action){new->sa_handler, *(const set *)&new->sa_mask, new->sa_flags});
    }
    if (old) {
        sigemptyset(&old->sa_mask);
        *(set *)&old->sa_mask = before.mask;
        old->sa_flags = before.flags;
        old->sa_handler = before.handler;
    }
    return 0;
}

static handler set_handler(int signal, handler new, int flags) {
    if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP) {
        fail(EINVAL);
        return SIG_ERR;
    }
    handler before = get(signal).handler;
    put(signal, (struct action){new, 0, flags});
    return before;
}

handler set_signal(int signal, handler new) __asm__("signal");
handler set_signal(int signal, handler new) { return set_handler(signal, new, SA_RESTART); }

handler __sysv_signal(int signal, handler new) { return set_handler(signal, new, SA_RESETHAND | SA_NODEFER); }

/* Signal sets are their first word; there are no more than 64 signals. */

static set *words(sigset_t *signals) { return (set *)signals; }

int sigemptyset(sigset_t *signals) {
    memset(signals, 0, sizeof *signals);
    return 0;
}

int sigfillset(sigset_t *signals) {
    memset(signals, 255, sizeof *signals);
    return 0;
}

int sigaddset(sigset_t *signals, int signal) {
    if (!is_signal(signal)) return fail(EINVAL);
    *words(signals) |= bit(signal);
    return 0;
}

int sigdelset(sigset_t *signals, int signal) {
    if (!is_signal(signal)) return fail(EINVAL);
    *words(signals) &= ~bit(signal);
    return 0;
}

int sigismember(const sigset_t *signals, int signal) {
    if (!is_signal(signal)) return fail(EINVAL);
    return (*(const set *)signals & bit(signal)) != 0;
}

int pthread_sigmask(int how, const sigset_t *new, sigset_t *old) {
    set before = *mask();
    if (new) {
        set chosen = *(const set *)new & ~(bit(SIGKILL) | bit(SIGSTOP));
        if (how == SIG_BLOCK)
            blocked |= chosen;
        else if (how == SIG_UNBLOCK)
            blocked &= ~chosen;
        else if (how == SIG_SETMASK)
            blocked = chosen;
        else
            return EINVAL;
        if (blocked) __atomic_store_n(&any_blocked, 1, __ATOMIC_RELAXED);
    }
    if (old) {
        sigemptyset(old);
        *words(old) = before;
    }
    take_pending();
    return 0;
}

int sigprocmask(int how, const sigset_t *new, sigset_t *old) {
    int code = pthread_sigmask(how, new, old);
    return code ? fail(code) : 0;
}

int sigpending(sigset_t *signals) {
    sigemptyset(signals);
    *words(signals) = pending;
    return 0;
}

/* Waiting for a signal ends at once if the thread has sent it to itself. */
int sigwait(const sigset_t *signals, int *signal) {
    set there = pending & *(const set *)signals;
    if (!there) __tp_unsupported("waiting for a signal");
    *signal = __builtin_ctzll(there) + 1;
    pending &= ~bit(*signal);
    return 0;
}

int pause(void) { __tp_unsupported("waiting for a signal"); }
int sigsuspend(const sigset_t *signals) { __tp_unsupported("waiting for a signal"); }

/* A signal that no handler waits for would end the process, at any time: what
 * happens before that is what happens without it. */
static void set_timer(int signal, int runs) {
    __atomic_store_n(&timers[signal], runs, __ATOMIC_RELAXED);
    if (runs && is_function(get(signal).handler)) __tp_unsupported("a signal handler that a timer starts");
}

static unsigned seconds_left(void) {
    int left = __tp_nondet_int();
    return left < 0 ? 0 : left;
}

unsigned alarm(unsigned seconds) {
    set_timer(SIGALRM, seconds != 0);
    return seconds_left();
}

useconds_t ualarm(useconds_t first, useconds_t interval) {
    set_timer(SIGALRM, first != 0);
    return seconds_left();
}

struct itimerval;
int setitimer(int which, const struct itimerval *new, struct itimerval *old) {
    __tp_unsupported("an interval timer");
}

/* abort runs the handler of SIGABRT first. */
void __tp_run_abort_handler(void) {
    struct action action = get(SIGABRT);
    if (is_function(action.handler)) run(SIGABRT, action);
}
