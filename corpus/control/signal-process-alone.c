// A signal to a process with one thread runs its handler before kill returns.
// expect: default=safe
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch(int signal) { caught = 1; }

int main(void)
{
    signal(SIGUSR1, catch);
    kill(getpid(), SIGUSR1);
    assert(caught);
    return 0;
}
