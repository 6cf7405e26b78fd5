// A thread inherits which signals are blocked, which is not followed.
// expect: assert=unknown
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *work(void *argument)
{
    sigset_t own;
    pthread_sigmask(SIG_BLOCK, 0, &own);
    assert(!sigismember(&own, SIGUSR1)); // it fails: the creator has blocked it
    return 0;
}

int main(void)
{
    pthread_t thread;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
