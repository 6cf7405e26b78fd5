// What one thread sends may be overwritten before the other reads it.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <pthread.h>

#include "threadproof.h"

static _Atomic int box;
static int sent;

static void *send(void *arg)
{
    box = sent;
    box = sent + 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    sent = tp_nondet_int();
    tp_assume(sent > 0 && sent < 1000);
    pthread_create(&thread, 0, send, 0);
    int received = box;
    assert(received == 0 || received == sent); //~ assert
    pthread_join(thread, 0);
    return 0;
}
