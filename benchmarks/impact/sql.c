/* Two workers hand a task to each other for ever: the one that has it sets the flag of the
   other and then its latch. A worker that is woken by its latch finds its flag set. With
   -DDEV_FIX a worker makes its stores arrive after it has set the latch, which is too late. */
#include <assert.h>
#include <pthread.h>

enum { FLAG_0, FLAG_1, LATCH_0, LATCH_1, VARIABLES };
#include "weak.h"

static void work(int me) {
    int other = 1 - me;
    for (;;) {
        while (!load(me, LATCH_0 + me))
            ;
        assert(load(me, FLAG_0 + me));
        store(me, LATCH_0 + me, 0);
        store(me, FLAG_0 + me, 0);
        store(me, FLAG_0 + other, 1);
        store(me, LATCH_0 + other, 1);
#ifdef DEV_FIX
        fence(me);
#endif
    }
}

static void *first(void *arg) {
    work(0);
    return arg;
}

static void *second(void *arg) {
    work(1);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    memory[LATCH_0] = memory[FLAG_0] = 1;
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
