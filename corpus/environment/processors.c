// The number of processors is positive and stays the same.
// expect: default=safe

#include <assert.h>
#include <unistd.h>

int main(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    assert(count >= 1);
    assert(count == sysconf(_SC_NPROCESSORS_ONLN));
    assert(getpid() == getpid());
    return 0;
}
