// Assigning a structure copies its members, arrays included, but not what its pointers point to.
// expect: default=safe overflow=safe

#include <assert.h>

struct sample {
    int values[3];
    int *shared;
};

int main(void)
{
    int counter = 0;
    struct sample a = {{1, 2, 3}, &counter};
    struct sample b = a;
    b.values[1] = 20;
    (*b.shared)++;
    (*a.shared)++;
    assert(a.values[1] == 2 && b.values[1] == 20 && b.values[2] == 3);
    assert(counter == 2);
    struct sample *self = &b;
    *self = b;
    assert(b.values[0] == 1);
    return 0;
}
