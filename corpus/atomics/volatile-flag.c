// Where volatile accesses count as atomic, a volatile flag that stops a thread is no race.
// expect: race=safe
// options: --volatile-atomic

#include <pthread.h>

static volatile int stop;

static void *work(void *unused)
{
    while (!stop)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
