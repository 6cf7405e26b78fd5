// A signal that is blocked waits until it is unblocked; one without a handler ends the process.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int caught;

static void catch(int signal) { caught++; }

int main(void) {
    sigset_t signals;
    signal(SIGTERM, catch);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    raise(SIGTERM);
    raise(SIGTERM);
    assert(caught == 0);
    pthread_sigmask(SIG_UNBLOCK, &signals, 0);
    assert(caught == 1);
    signal(SIGTERM, SIG_DFL);
    pthread_kill(pthread_self(), SIGTERM);
    assert(0);
    return 0;
}
