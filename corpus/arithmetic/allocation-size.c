// The size of an array is checked against wrapping before it is allocated.
// expect: default=safe leak=safe overflow=safe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int *make_array(uint32_t count)
{
    uint32_t bytes;
    if (__builtin_mul_overflow(count, (uint32_t)sizeof(int), &bytes))
        return NULL;
    return malloc(bytes);
}

int main(void)
{
    assert(make_array(0x40000001) == NULL);
    int *array = make_array(3);
    array[2] = 1;
    assert(array[2] == 1);
    free(array);
    return 0;
}
