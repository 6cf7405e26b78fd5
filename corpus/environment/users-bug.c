// The effective user of a process need not be the real one.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(getuid() == geteuid()); //~ assert
    return 0;
}
