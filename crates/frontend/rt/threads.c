/* C11 threads, on top of pthreads. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "rt.h"

static int result(int code) {
    switch (code) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
    }
}

/* A thread may run a function that returns an int: its result is that narrow. */
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    return result(pthread_create((pthread_t *)thread, 0, (void *(*)(void *))function, argument));
}

int thrd_join(thrd_t thread, int *code) {
    void *value;
    int failed = pthread_join(thread, &value);
    if (!failed && code) *code = (int)(intptr_t)value;
    return result(failed);
}

int thrd_detach(thrd_t thread) { return result(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_exit(int code) { pthread_exit((void *)(intptr_t)code); }

int mtx_init(mtx_t *mutex, int type) {
    int attr = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return result(pthread_mutex_init((pthread_mutex_t *)mutex, (pthread_mutexattr_t *)&attr));
}

int mtx_lock(mtx_t *mutex) { return result(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return result(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_unlock(mtx_t *mutex) { return result(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }
void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }

int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
    return result(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int cnd_init(cnd_t *cond) { return result(pthread_cond_init((pthread_cond_t *)cond, 0)); }
int cnd_signal(cnd_t *cond) { return result(pthread_cond_signal((pthread_cond_t *)cond)); }
int cnd_broadcast(cnd_t *cond) { return result(pthread_cond_broadcast((pthread_cond_t *)cond)); }
void cnd_destroy(cnd_t *cond) { pthread_cond_destroy((pthread_cond_t *)cond); }

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return result(pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until) {
    return result(pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, until));
}

int tss_create(tss_t *key, tss_dtor_t destructor) { return result(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return result(pthread_setspecific(key, value)); }

void call_once(once_flag *once, void (*function)(void)) { pthread_once((pthread_once_t *)once, function); }
