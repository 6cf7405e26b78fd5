// cmpxchg16b compares both halves: a version that is one behind lets the exchange fail.
// expect: assert=unsafe race=safe memory=safe

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct versioned {
    uint64_t value, version;
} __attribute__((aligned(16)));

int main(void)
{
    struct versioned shared = {5, 1};
    struct versioned expected = {5, 0};
    bool equal;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(equal), "+m"(shared), "+a"(expected.value), "+d"(expected.version)
                     : "b"(6UL), "c"(1UL)
                     : "memory");
    assert(expected.version == 1 && shared.value == 5);
    assert(equal); //~ assert
    return 0;
}
