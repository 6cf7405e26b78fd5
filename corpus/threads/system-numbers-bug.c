// A thread that is not the first one has not the process's number.
// expect: assert=unsafe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *argument)
{
    assert(gettid() == getpid()); //~ assert
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
