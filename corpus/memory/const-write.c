// A cast that takes const away is harmless if the object itself is not constant.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

static int limits[2] = {10, 20};

static void raise_limit(const int *limit)
{
    *(int *)limit += 1;
}

int main(void)
{
    raise_limit(&limits[1]);
    assert(limits[1] == 21);
    return 0;
}
