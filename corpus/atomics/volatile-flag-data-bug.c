// Even where volatile accesses count as atomic, they are relaxed: the data behind the flag races.
// expect: race=unsafe
// options: --volatile-atomic

#include <pthread.h>

static volatile int ready;
static int data;

static void *consume(void *unused)
{
    if (ready)
        data++; //~ race
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    data = 1; //~ race
    ready = 1;
    pthread_join(thread, NULL);
    return 0;
}
