/* Two threads that enter a section as often as inputs say. The section writes what only
   the thread inside may write, and reads it back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static void enter(int me);
static void leave(int me);

static _Atomic int inside;

static void *process(void *arg) {
    int me = arg != 0;
    while (__VERIFIER_nondet_int()) {
        enter(me);
        inside = me + 1;
        assert(inside == me + 1);
        leave(me);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, process, 0);
    pthread_create(&second, 0, process, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
