// A status is initialised before it decides a branch.
// expect: default=safe

#include <assert.h>

static void probe(int device, int *status)
{
    *status = 0;
    if (device == 1)
        *status = 1;
}

int main(void)
{
    int status;
    probe(0, &status);
    if (status == 1)
        assert(0);
    return 0;
}
