// The size of an allocation wraps around in a 32-bit size_t.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=safe
// data-model: ilp32

#include <stdlib.h>

static int *make_array(size_t count)
{
    return malloc(count * sizeof(int));
}

int main(void)
{
    int *array = make_array(0x40000002u);
    array[1] = 1;
    array[2] = 2; //~ memory
    free(array);
    return 0;
}
