// The "device" is an array of the program, and the computed address lies in it.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

static volatile uint32_t device[4];

static volatile uint32_t *device_register(uintptr_t base, unsigned index)
{
    return (volatile uint32_t *)(base + index * sizeof(uint32_t));
}

int main(void)
{
    *device_register((uintptr_t)device, 2) = 1;
    assert(device[2] == 1);
    assert(device[1] == 0 && device[3] == 0);
    return 0;
}
