// A function returns the structure itself, or fills one that its caller owns.
// expect: default=safe

#include <assert.h>

struct point {
    int x;
    int y;
};

static struct point make_point(int x, int y)
{
    struct point point = {x, y};
    return point;
}

static void fill_point(struct point *point, int x, int y)
{
    *point = (struct point){x, y};
}

int main(void)
{
    struct point a = make_point(1, 2);
    struct point b;
    fill_point(&b, 3, 4);
    assert(a.x == 1 && a.y == 2);
    assert(b.x == 3 && b.y == 4);
    return 0;
}
