// The size of an array wraps around in 32 bits, and the block is smaller than its element count says.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=safe

#include <stdint.h>
#include <stdlib.h>

static int *make_array(uint32_t count)
{
    uint32_t bytes = count * (uint32_t)sizeof(int);
    return malloc(bytes);
}

int main(void)
{
    uint32_t count = 0x40000001;
    int *array = make_array(count);
    array[0] = 1;
    array[count - 1] = 1; //~ memory
    free(array);
    return 0;
}
