// Blocks whose addresses were hashed are freed, or still kept: by a pointer, or as a number from which the pointer is made again.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int *table[16];
static uintptr_t hidden;

static unsigned hash(const void *key)
{
    return (uintptr_t)key * 2654435761u >> 8 & 15;
}

int main(void)
{
    int *freed = malloc(sizeof *freed);
    int *kept = malloc(sizeof *kept);
    int *number = malloc(sizeof *number);
    *number = 5;
    table[hash(freed)] = freed;
    free(table[hash(freed)]);
    table[hash(freed)] = 0;
    table[hash(kept)] = kept;
    hidden = (uintptr_t)number / 2 * 2;
    assert(*(int *)hidden == 5);
    return 0;
}
