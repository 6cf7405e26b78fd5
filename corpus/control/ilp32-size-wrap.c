// An allocation whose size would not fit a 32-bit size_t is refused.
// expect: default=safe leak=safe overflow=safe
// data-model: ilp32

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int *make_array(size_t count)
{
    if (count > SIZE_MAX / sizeof(int))
        return NULL;
    return malloc(count * sizeof(int));
}

int main(void)
{
    assert(make_array(0x40000002u) == NULL);
    int *array = make_array(2);
    array[1] = 1;
    assert(array[1] == 1);
    free(array);
    return 0;
}
