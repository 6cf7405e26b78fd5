// Sizes, alignments and offsets of the 64-bit data model.
// expect: default=safe

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

struct mixed {
    char tag;
    double number;
    short half;
    void *pointer;
    char last;
};

static alignas(64) char line[64];
static char odd;

int main(void)
{
    assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8);
    assert(sizeof(long long) == 8 && sizeof(void *) == 8 && sizeof(size_t) == 8);
    assert(sizeof(__int128) == 16 && alignof(__int128) == 16);
    assert(offsetof(struct mixed, number) == 8);
    assert(offsetof(struct mixed, half) == 16);
    assert(offsetof(struct mixed, pointer) == 24);
    assert(sizeof(struct mixed) == 40 && alignof(struct mixed) == 8);
    assert(((uintptr_t)line & 63) == 0);
    assert(&odd != line);
    return 0;
}
