/* Attributes are plain memory: the int at the start of a thread attribute is
 * 1 for "detached", that of a mutex attribute is the mutex's type. */
#include <errno.h>
#include <pthread.h>

#include "rt.h"

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    if (__tp_once_begin(once)) {
        routine();
        __tp_once_end(once);
    }
    return 0;
}

int pthread_attr_init(pthread_attr_t *attr) {
    *(int *)attr = PTHREAD_CREATE_JOINABLE;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
    *(int *)attr = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    *state = *(const int *)attr;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    *size = 8u << 20;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) { return 0; }
int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) { return 0; }
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) { return 0; }
int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) { return 0; }
int pthread_attr_setscope(pthread_attr_t *attr, int scope) { return 0; }
int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) { return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) { return 0; }
int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) { return 0; }

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    *(int *)attr = PTHREAD_MUTEX_NORMAL;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    if (type < 0 || type > 3) return EINVAL;
    *(int *)attr = type == 3 ? PTHREAD_MUTEX_NORMAL : type;
    return 0;
}

int pthread_mutexattr_setkind_np(pthread_mutexattr_t *attr, int type) {
    return pthread_mutexattr_settype(attr, type);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = *(const int *)attr;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) { return 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared) { return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) { return 0; }
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) { return 0; }
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) { return 0; }

int pthread_condattr_init(pthread_condattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) { return 0; }
int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared) { return 0; }

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared) { return 0; }
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) { return 0; }

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    *(int *)attr = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared) { return 0; }
