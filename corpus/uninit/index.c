// The index has a default for the case that nothing is found.
// expect: default=safe

#include <assert.h>

static int table[4] = {1, 2, 3, 4};

static void find(int wanted, unsigned *index)
{
    for (unsigned i = 0; i < 4; i++)
        if (table[i] == wanted)
            *index = i;
}

int main(void)
{
    unsigned index = 3;
    find(9, &index);
    assert(table[index & 3] == 4);
    find(2, &index);
    assert(table[index & 3] == 2);
    return 0;
}
