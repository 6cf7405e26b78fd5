/* The parts of libstdc++'s threads that are not in its headers. */
#include <pthread.h>

#include "rt.h"

/* std::thread is one pthread_t; its state is an object with the virtual
 * functions: destructor, deleting destructor, run. */
typedef void (*method)(void *);
struct state {
    method *methods;
};

static void *run(void *argument) {
    struct state *state = argument;
    state->methods[2](state);
    state->methods[1](state);
    return 0;
}

void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    pthread_t *thread, struct state **owner, void (*depend)(void)) {
    struct state *state = *owner;
    *owner = 0;
    if (__tp_create_thread(thread, 0, run, state)) __tp_unsupported("C++ exception");
}

void _ZNSt6thread4joinEv(pthread_t *thread) {
    if (!*thread || pthread_join(*thread, 0)) __tp_unsupported("C++ exception");
    *thread = 0;
}

void _ZNSt6thread6detachEv(pthread_t *thread) {
    if (!*thread || pthread_detach(*thread)) __tp_unsupported("C++ exception");
    *thread = 0;
}

void _ZNSt6thread6_StateD2Ev(void *state) {}
void _ZNSt6thread6_StateD1Ev(void *state) {}
void _ZNSt6thread6_StateD0Ev(void *state) { free(state); }
void __cxa_pure_virtual(void);

void *_ZTINSt6thread6_StateE[2];
method _ZTVNSt6thread6_StateE[5] = {
    0, (method)_ZTINSt6thread6_StateE, _ZNSt6thread6_StateD1Ev, _ZNSt6thread6_StateD0Ev,
    (method)__cxa_pure_virtual,
};

struct unique_lock {
    pthread_mutex_t *mutex;
    _Bool owns;
};

void _ZNSt18condition_variableC1Ev(pthread_cond_t *cond) { pthread_cond_init(cond, 0); }
void _ZNSt18condition_variableC2Ev(pthread_cond_t *cond) { pthread_cond_init(cond, 0); }
void _ZNSt18condition_variableD1Ev(pthread_cond_t *cond) { pthread_cond_destroy(cond); }
void _ZNSt18condition_variableD2Ev(pthread_cond_t *cond) { pthread_cond_destroy(cond); }
void _ZNSt18condition_variable10notify_oneEv(pthread_cond_t *cond) { pthread_cond_signal(cond); }
void _ZNSt18condition_variable10notify_allEv(pthread_cond_t *cond) { pthread_cond_broadcast(cond); }

void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *cond, struct unique_lock *lock) {
    pthread_cond_wait(cond, lock->mutex);
}

/* std::call_once passes its function through thread-local variables. */
_Thread_local void *_ZSt15__once_callable;
_Thread_local void (*_ZSt11__once_call)(void);

void __once_proxy(void) { _ZSt11__once_call(); }
