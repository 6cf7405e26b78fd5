// A value that is never initialised is any value, but the same one each time two threads look at it.
// expect: assert=safe
// assume: nothing
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *threshold;
static int above;

static void *compare(void *unused)
{
    (void)unused;
    above = *threshold > 10;
    return NULL;
}

int main(void)
{
    threshold = malloc(sizeof *threshold);
    pthread_t thread;
    pthread_create(&thread, NULL, compare, NULL);
    int below = *threshold < 5;
    pthread_join(thread, NULL);
    assert(!(above && below));
    free(threshold);
    return 0;
}
