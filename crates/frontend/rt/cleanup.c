/* pthread_cleanup_push and _pop, as C programs see them. The handlers run on
 * the usual way out; leaving such a block with pthread_exit is not supported. */
#include "rt.h"

static _Thread_local int depth;

void __pthread_register_cancel(void *buffer) { depth++; }
void __pthread_unregister_cancel(void *buffer) { depth--; }
void __pthread_unwind_next(void *buffer) { __tp_unsupported("thread cancellation"); }

void __tp_check_cleanup(void) {
    if (depth) __tp_unsupported("pthread_exit within pthread_cleanup_push");
}
