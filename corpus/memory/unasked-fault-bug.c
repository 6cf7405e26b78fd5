// What follows a bad access is undefined, so that nothing is known about the assertion behind it.
// expect: memory=unsafe assert=unknown race=unknown
// assume: nothing

#include <assert.h>
#include <stddef.h>

static int *find(int key)
{
    static int table[] = {3, 5, 8};
    for (size_t i = 0; i < 3; i++)
        if (table[i] == key)
            return &table[i];
    return NULL;
}

int main(void)
{
    int found = *find(4); //~ memory
    assert(found == 4);
    return 0;
}
