// Where bad accesses are taken not to happen, the assertion behind one holds.
// expect: assert=safe
// options: --assume-no memory
// assume: nothing

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *cell = NULL;
    if (__builtin_expect(rand() & 1, 1))
        cell = malloc(sizeof *cell);
    *cell = 3;
    assert(*cell == 3);
    free(cell);
    return 0;
}
