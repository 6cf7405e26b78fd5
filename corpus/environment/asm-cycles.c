// The processor's counter of cycles never goes back; what cpuid says is an input.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdint.h>

static uint64_t cycles(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static uint64_t cycles_of_core(unsigned *core)
{
    uint64_t whole;
    __asm__ volatile("rdtscp\n\t"
                     "shlq $32, %%rdx\n\t"
                     "orq %%rdx, %%rax"
                     : "=a"(whole), "=c"(*core)
                     :
                     : "rdx");
    return whole;
}

int main(void)
{
    unsigned a = 1, b, c = 0, d, core;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    uint64_t start = cycles();
    uint64_t end = cycles_of_core(&core);
    if (d & 1 << 4)
        assert(end >= start);
    return 0;
}
