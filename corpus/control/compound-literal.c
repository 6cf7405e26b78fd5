// Compound literals: structures and arrays without a name, by value and by address.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

struct point {
    int x;
    int y;
};

static struct point *origin = &(struct point){3, 4};

static int manhattan(struct point point)
{
    return point.x + point.y;
}

static int sum(const int *values, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

int main(void)
{
    assert(manhattan((struct point){.y = 5, .x = 2}) == 7);
    assert(sum((int[]){1, 2, 3, 4}, 4) == 10);
    struct point *point = &(struct point){.y = 8};
    point->x++;
    assert(manhattan(*point) == 9);
    origin->x = 0;
    assert(manhattan(*origin) == 4);
    return 0;
}
