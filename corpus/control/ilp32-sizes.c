// Sizes and offsets of the 32-bit data model.
// expect: default=safe
// data-model: ilp32

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct mixed {
    char tag;
    long long wide;
    char *name;
    double number;
};

int main(void)
{
    assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(long long) == 8);
    assert(sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(intptr_t) == 4);
    assert(LONG_MAX == 2147483647L && SIZE_MAX == 4294967295u);
    assert(offsetof(struct mixed, wide) == 4); // 64-bit members are aligned to 4 bytes here
    assert(offsetof(struct mixed, name) == 12);
    assert(sizeof(struct mixed) == 24);
    return 0;
}
