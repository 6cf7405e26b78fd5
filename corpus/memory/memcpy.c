// memcpy copies exactly the bytes it is told to and leaves the neighbours alone.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static unsigned char target[6] = {9, 9, 9, 9, 9, 9};

int main(void)
{
    const unsigned char source[3] = {1, 2, 3};
    void *result = memcpy(target + 2, source, sizeof source);
    assert(result == target + 2);
    assert(target[1] == 9 && target[2] == 1 && target[3] == 2);
    assert(target[4] == 3 && target[5] == 9);
    memcpy(target, source, 0);
    assert(target[0] == 9);
    return 0;
}
