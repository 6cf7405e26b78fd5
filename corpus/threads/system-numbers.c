// The system's number of a thread stays the same, is no other thread's, and the process's in the first one.
// expect: default=safe
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t first;

static void *work(void *argument)
{
    pid_t own = gettid();
    assert(own != first);
    assert(own != getpid());
    assert(own == syscall(SYS_gettid));
    return 0;
}

int main(void)
{
    pthread_t thread;
    first = gettid();
    assert(first == getpid());
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(gettid() == first);
    return 0;
}
