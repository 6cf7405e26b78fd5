// abort runs the handler of SIGABRT.
// expect: assert=unsafe
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

int started = 1, finished;

static void last(int signal) { assert(started == finished); } //~ assert

int main(void) {
    signal(SIGABRT, last);
    abort();
}
