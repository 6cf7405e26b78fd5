// The user and the group of a process stay the same.
// expect: assert=safe
// inputs: too many

#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(getuid() == getuid());
    assert(getegid() == getegid());
    return 0;
}
