// Byte arithmetic on an address is taken for element arithmetic and leaves the array.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdint.h>

static int numbers[3] = {10, 20, 30};

static int element(uintptr_t base, unsigned index)
{
    return ((int *)(base + index))[index]; //~ memory
}

int main(void)
{
    return element((uintptr_t)numbers, 0) + element((uintptr_t)numbers, 4);
}
