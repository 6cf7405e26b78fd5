// raise runs the handler in the calling thread, before it returns.
// expect: default=safe
#include <assert.h>
#include <signal.h>

volatile sig_atomic_t caught;

static void catch(int signal) { caught = signal; }

int main(void) {
    signal(SIGUSR1, catch);
    raise(SIGUSR1);
    assert(caught == SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    caught = 0;
    raise(SIGUSR1);
    assert(caught == 0);
    return 0;
}
