// Two looks at the processor's counter of cycles may see the same number.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <stdint.h>

static uint64_t cycles(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

int main(void)
{
    uint64_t start = cycles();
    uint64_t elapsed = cycles() - start;
    assert(elapsed != 0); //~ assert
    return 0;
}
