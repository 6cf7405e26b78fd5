// A hard-coded address is written to as if it were a device register.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdint.h>

static volatile uint32_t *device_register(uintptr_t base, unsigned index)
{
    return (volatile uint32_t *)(base + index * sizeof(uint32_t));
}

int main(void)
{
    *device_register(0xdead0000, 2) = 1; //~ memory
    return 0;
}
