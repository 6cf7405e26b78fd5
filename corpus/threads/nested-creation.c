// A thread creates and joins a thread of its own; what both did is seen by main.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static int steps;

static void *inner(void *unused)
{
    (void)unused;
    steps = steps * 10 + 2;
    return NULL;
}

static void *outer(void *unused)
{
    (void)unused;
    pthread_t thread;
    steps = 1;
    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    steps = steps * 10 + 3;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(steps == 123);
    return 0;
}
