// A handler that a timer starts could run at any time, which cannot be followed.
// expect: assert=unknown
#include <assert.h>
#include <signal.h>
#include <unistd.h>

volatile sig_atomic_t late;

static void ring(int signal) { late = 1; }

int main(void) {
    alarm(1);
    signal(SIGALRM, ring);
    assert(!late);
    return 0;
}
