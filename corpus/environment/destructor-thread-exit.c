// A thread that is not main may leave by pthread_exit: the destructor runs when main returns.
// expect: default=safe

#include <assert.h>
#include <pthread.h>

static int value;

__attribute__((destructor)) static void at_the_end(void)
{
    assert(value == 1);
}

static void *worker(void *arg)
{
    value = 1;
    pthread_exit(arg);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
