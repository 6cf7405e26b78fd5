// A signal to the process runs its handler in any thread that has not blocked it, which cannot be followed.
// expect: assert=unknown
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int signal) { caught = 1; }

static void *send(void *argument)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    kill(getpid(), SIGUSR1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, catch);
    pthread_create(&thread, 0, send, 0);
    pthread_join(thread, 0);
    assert(!caught); // it fails: the first thread has not blocked the signal
    return 0;
}
