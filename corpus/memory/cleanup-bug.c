// A cache that a global variable still leads to is not lost, but nobody frees it.
// expect: default=safe leak=safe cleanup=unsafe

#include <stdlib.h>

static int *cache;

static int lookup(int key)
{
    if (!cache)
        cache = calloc(4, sizeof *cache); //~ cleanup
    return cache[key & 3];
}

int main(void)
{
    return lookup(6);
}
