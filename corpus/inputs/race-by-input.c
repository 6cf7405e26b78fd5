// Two threads write cells that the inputs keep apart.
// expect: race=safe memory=safe

#include <pthread.h>

#include "threadproof.h"

static int cells[4];
static unsigned first, second;

static void *write(void *arg)
{
    cells[first] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    first = tp_nondet_uint() & 3;
    second = tp_nondet_uint() & 3;
    tp_assume(first > second);
    pthread_create(&thread, 0, write, 0);
    cells[second] = 2;
    pthread_join(thread, 0);
    return 0;
}
