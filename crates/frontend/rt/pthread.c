/* Attributes are plain memory: the int at the start of a thread attribute is
 * 1 for "detached", the low two bits of a mutex attribute are the mutex's type
 * and bit 15 says whether it is robust,
 * the int at the start of a readers-writer lock's attribute is its kind. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "rt.h"

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* What is kept of a thread's attributes. How a thread is scheduled changes
 * nothing under every schedule, and its stack is as large as the option says;
 * the other fields are kept to be told again. */
struct attributes {
    int detached, scope, inherits, policy, priority;
    size_t guard, size;
    void *stack;
};

_Static_assert(sizeof(struct attributes) <= sizeof(pthread_attr_t), "attributes fit");

static struct attributes *fields(pthread_attr_t *attr) { return (struct attributes *)attr; }
static const struct attributes *read_fields(const pthread_attr_t *attr) { return (const struct attributes *)attr; }

int pthread_attr_init(pthread_attr_t *attr) {
    *fields(attr) = (struct attributes){
        .detached = PTHREAD_CREATE_JOINABLE, .scope = PTHREAD_SCOPE_SYSTEM, .inherits = PTHREAD_INHERIT_SCHED,
        .policy = SCHED_OTHER, .guard = 4096, .size = 8u << 20};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) { return 0; }

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
    fields(attr)->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = read_fields(attr)->detached;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
    if (scope == PTHREAD_SCOPE_PROCESS) return ENOTSUP;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
    *scope = read_fields(attr)->scope;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherits) {
    if (inherits != PTHREAD_INHERIT_SCHED && inherits != PTHREAD_EXPLICIT_SCHED) return EINVAL;
    fields(attr)->inherits = inherits;
    return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherits) {
    *inherits = read_fields(attr)->inherits;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
    if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) return EINVAL;
    fields(attr)->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
    *policy = read_fields(attr)->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) {
    int policy = read_fields(attr)->policy, priority = param->sched_priority;
    if (priority < __tp_lowest_priority(policy) || priority > __tp_highest_priority(policy)) return EINVAL;
    fields(attr)->priority = priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param) {
    param->sched_priority = read_fields(attr)->priority;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
    fields(attr)->guard = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
    *size = read_fields(attr)->guard;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    if (size < LEAST_STACK) return EINVAL;
    fields(attr)->size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    *size = read_fields(attr)->size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    fields(attr)->stack = stack;
    return pthread_attr_setstacksize(attr, size);
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
    *stack = read_fields(attr)->stack;
    return pthread_attr_getstacksize(attr, size);
}

/* Sharing between processes, the protocol and its ceiling change nothing that
 * can be seen within one process under every schedule. They are kept above the
 * type, to be told again. */
enum { TYPE = 3, SHARED_AT = 3, PROTOCOL_AT = 4, CEILING_AT = 8, ROBUST_AT = 15 };

static int get_bits(const void *attr, int at, int mask) { return *(const int *)attr >> at & mask; }

static int set_bits(void *attr, int at, int mask, int value) {
    if (value < 0 || value > mask) return EINVAL;
    *(int *)attr = (*(int *)attr & ~(mask << at)) | value << at;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    *(int *)attr = PTHREAD_MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    return set_bits(attr, 0, TYPE, type == PTHREAD_MUTEX_ADAPTIVE_NP ? PTHREAD_MUTEX_NORMAL : type);
}

int pthread_mutexattr_setkind_np(pthread_mutexattr_t *attr, int type) {
    return pthread_mutexattr_settype(attr, type);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = get_bits(attr, 0, TYPE);
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) {
    return set_bits(attr, SHARED_AT, 1, shared);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *shared) {
    *shared = get_bits(attr, SHARED_AT, 1);
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
    return protocol > PTHREAD_PRIO_PROTECT ? EINVAL : set_bits(attr, PROTOCOL_AT, 3, protocol);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
    *protocol = get_bits(attr, PROTOCOL_AT, 3);
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
    int highest = __tp_highest_priority(SCHED_FIFO);
    if (ceiling < __tp_lowest_priority(SCHED_FIFO) || ceiling > highest) return EINVAL;
    return set_bits(attr, CEILING_AT, 127, ceiling);
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling) {
    int set = get_bits(attr, CEILING_AT, 127);
    *ceiling = set ? set : __tp_lowest_priority(SCHED_FIFO);
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    return set_bits(attr, ROBUST_AT, 1, robust);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
    *robust = get_bits(attr, ROBUST_AT, 1);
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) { return 0; }

int pthread_condattr_init(pthread_condattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return set_bits(attr, 0, 1, clock);
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock) {
    *clock = get_bits(attr, 0, 1);
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) {
    return set_bits(attr, SHARED_AT, 1, shared);
}

int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *shared) {
    *shared = get_bits(attr, SHARED_AT, 1);
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) { return 0; }

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    ((int *)attr)[0] = PTHREAD_RWLOCK_PREFER_READER_NP;
    ((int *)attr)[1] = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
    if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        return EINVAL;
    *(int *)attr = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind) {
    *kind = *(const int *)attr;
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
    ((int *)attr)[1] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *shared) {
    *shared = ((const int *)attr)[1];
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) { return 0; }

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) { return 0; }

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) {
    return set_bits(attr, 0, 1, shared);
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared) {
    *shared = get_bits(attr, 0, 1);
    return 0;
}
