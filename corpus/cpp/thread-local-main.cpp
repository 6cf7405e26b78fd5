// The thread-local objects of the main thread end before the static ones.
// expect: default=safe cleanup=safe
#include <cassert>

static int ended;

struct Local {
    int value = 0;
    ~Local() { ended++; }
};

struct Static {
    ~Static() { assert(ended == 1); }
};

static Static last;
thread_local Local local;

int main()
{
    local.value = 1;
    return 0;
}
