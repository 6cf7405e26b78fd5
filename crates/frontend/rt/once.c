/* Initialisers that run once. A thread that ends within one takes it back: the
 * next thread runs it from its beginning. */
#include <pthread.h>

#include "rt.h"

/* The initialisers that a thread is within, the innermost first. */
struct attempt {
    pthread_once_t *once;
    struct attempt *outer;
};
static _Thread_local struct attempt *attempts;

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    if (__tp_once_begin(once)) {
        struct attempt attempt = {once, attempts};
        attempts = &attempt;
        routine();
        attempts = attempt.outer;
        __tp_once_end(once);
    }
    return 0;
}

/* A thread calls this before it ends by pthread_exit. */
void __tp_leave_initialisers(void) {
    for (; attempts; attempts = attempts->outer) __tp_once_take_back(attempts->once);
}
