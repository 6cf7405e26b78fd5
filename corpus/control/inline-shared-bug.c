// An inline function of a header that one of two source files defines: what it returns is not what one expects.
// expect: assert=unsafe race=safe deadlock=safe memory=safe
// with: inline-shared-definition.c
// final-states: 1

#include "inline-shared.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int add_twice(int amount);

static void *worker(void *unused)
{
    (void)unused;
    add_twice(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(add(3) == 3); //~ assert
    pthread_join(thread, NULL);
    return 0;
}
