// Threads that are joined before the next ones start never overlap.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static int value = 1;

static void *twice(void *unused)
{
    (void)unused;
    value *= 2;
    return NULL;
}

static void *plus_three(void *unused)
{
    (void)unused;
    value += 3;
    return NULL;
}

static void run(void *(*phase)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, phase, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    run(twice);
    run(plus_three);
    run(twice);
    assert(value == 10);
    return 0;
}
