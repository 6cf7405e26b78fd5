// The thread-local objects of the main thread end when it returns from main.
// expect: assert=unsafe
#include <cassert>

struct Local {
    bool open = false;
    ~Local() { assert(!open); } //~ assert
};

thread_local Local local;

int main()
{
    local.open = true;
    return 0;
}
