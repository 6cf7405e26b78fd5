// An inline function of a header that one of two source files defines, as C99 has it.
// expect: default=safe overflow=safe
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
    add(3);
    pthread_join(thread, NULL);
    assert(total == 5);
    return 0;
}
