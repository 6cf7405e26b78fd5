// A thread that was overtaken goes in without looking whether it came first after all.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static _Atomic int wants[2], x, y, inside;

static void enter(int me) {
    for (;;) {
        wants[me] = 1;
        x = me + 1;
        if (y != 0) {
            wants[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me + 1;
        if (x == me + 1)
            return;
        wants[me] = 0;
        while (wants[1 - me])
            ;
        if (1)
            return;
        while (y != 0)
            ;
    }
}

static void *process(void *arg) {
    int me = arg != 0;
    while (__VERIFIER_nondet_int()) {
        enter(me);
        inside = me;
        assert(inside == me); //~ assert
        y = 0;
        wants[me] = 0;
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
