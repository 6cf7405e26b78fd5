// The address of a block goes into a hash, which is no way back to the block: it is lost.
// expect: leak=unsafe memory=safe assert=safe race=safe

#include <stdint.h>
#include <stdlib.h>

static unsigned buckets[16];

static unsigned hash(const void *key)
{
    return (uintptr_t)key * 2654435761u >> 8 & 15;
}

int main(void)
{
    int *entry = malloc(sizeof *entry); //~ leak
    *entry = 1;
    buckets[hash(entry)]++;
    return 0;
}
