// Memory that was asked for with an alignment has it, on the heap, on the stack and for globals.
// expect: default=safe overflow=safe leak=safe

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct line {
    _Alignas(64) int value;
};

static struct line global;

static struct line *line_of(int *inside)
{
    return (struct line *)((uintptr_t)inside & ~(uintptr_t)63);
}

int main(void)
{
    struct line local = {1};
    struct line *lines = aligned_alloc(64, 2 * sizeof *lines);
    lines[1].value = 7;
    assert((uintptr_t)lines % 64 == 0);
    assert(line_of(&lines[1].value) == &lines[1] && line_of(&lines[1].value)->value == 7);
    assert((uintptr_t)&global % 64 == 0 && (uintptr_t)&local % 64 == 0);
    assert(local.value == 1);
    void *page = 0;
    assert(posix_memalign(&page, 4096, 100) == 0);
    assert(((uintptr_t)page & 4095) == 0 && (uintptr_t)page >> 12 << 12 == (uintptr_t)page);
    assert(posix_memalign(&page, 24, 100) == EINVAL);
    assert(posix_memalign(&page, 4, 100) == EINVAL);
    free(page);
    free(lines);
    return 0;
}
