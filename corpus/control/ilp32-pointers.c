// Pointers of four bytes: stored in a table, cast to 32-bit integers, subtracted.
// expect: default=safe
// data-model: ilp32
// final-states: 1

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int numbers[3] = {1, 2, 3};
static int *table[3] = {&numbers[2], &numbers[1], &numbers[0]};

int main(void)
{
    assert((char *)&table[1] - (char *)&table[0] == 4);
    assert(*table[0] == 3 && *table[2] == 1);
    uint32_t address = (uint32_t)table[1];
    assert(*(int *)(address + 4) == 3);
    assert((long)address == (long)(intptr_t)table[1]);
    assert(table[0] - table[2] == 2);

    int **cells = malloc(2 * sizeof *cells);
    cells[1] = table[1];
    *cells[1] = 20;
    assert(numbers[1] == 20);
    free(cells);
    return 0;
}
