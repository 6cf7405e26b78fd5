/* pthread_cleanup_push and _pop, as C programs see them. The handlers run on
 * the usual way out; leaving such a block with pthread_exit is not supported.
 * Nor is leaving a call of a C++ program whose function has something to do
 * when the call is left by an exception: pthread_exit does that, too. */
#include "rt.h"
#include <errno.h>

static _Thread_local int depth, unwound;

void __pthread_register_cancel(void *buffer) { depth++; }
void __pthread_unregister_cancel(void *buffer) { depth--; }
void __pthread_unwind_next(void *buffer) { __tp_unsupported("thread cancellation"); }

void __tp_enter_unwound(void) { unwound++; }
void __tp_leave_unwound(void) { unwound--; }

void __tp_check_cleanup(void) {
    if (unwound) __tp_unsupported("pthread_exit where C++ destructors are to be called");
    if (depth) __tp_unsupported("pthread_exit within pthread_cleanup_push");
}

static int exchange(int *held, int wanted, int *old) {
    if (wanted != 0 && wanted != 1) return EINVAL;
    if (old) *old = *held;
    *held = wanted;
    return 0;
}

static _Thread_local int cancel_state, cancel_type;
int pthread_setcancelstate(int state, int *old) { return exchange(&cancel_state, state, old); }
int pthread_setcanceltype(int type, int *old) { return exchange(&cancel_type, type, old); }
