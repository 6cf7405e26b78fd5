// Structures of floating point and mixed members, which are split over both kinds of registers.
// expect: default=safe

#include <assert.h>

struct vector {
    float x, y, z;
};

struct reading {
    double value;
    int sensor;
    char unit;
};

static struct vector scale(struct vector v, float by)
{
    return (struct vector){v.x * by, v.y * by, v.z * by};
}

static struct reading merge(struct reading a, struct reading b)
{
    struct reading result = {(a.value + b.value) / 2, a.sensor * 10 + b.sensor, a.unit};
    return result;
}

int main(void)
{
    struct vector v = scale((struct vector){1, -2, 0.5f}, 4);
    assert(v.x == 4 && v.y == -8 && v.z == 2);
    struct reading r = merge((struct reading){1.5, 1, 'C'}, (struct reading){2.5, 2, 'F'});
    assert(r.value == 2.0 && r.sensor == 12 && r.unit == 'C');
    return 0;
}
