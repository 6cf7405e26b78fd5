// An atomic section that inputs take one way or the other: the first way writes,
// and is over long before the section has been followed all the other ways.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threadproof.h"

#define INPUTS 30

static atomic_int cell;

static void *write_and_look(void *arg)
{
    cell = 5;
    assert(cell == 5); //~ assert
    return arg;
}

static void *overwrite(void *arg)
{
    int inputs[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        inputs[i] = tp_nondet_int();
    tp_atomic_begin();
    for (int i = 0; i < INPUTS; i++) {
        if (inputs[i] > 0) {
            if (i == 0)
                cell = 1;
            break;
        }
    }
    tp_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, write_and_look, 0);
    pthread_create(&threads[1], 0, overwrite, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
