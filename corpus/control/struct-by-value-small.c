// Small structures, which travel in registers, as parameters and results.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdint.h>

struct color {
    uint8_t red, green, blue;
};

struct range {
    long low, high;
};

static struct color invert(struct color color)
{
    color.red = 255 - color.red;
    color.green = 255 - color.green;
    color.blue = 255 - color.blue;
    return color;
}

static struct range widen(struct range range, int by)
{
    return (struct range){range.low - by, range.high + by};
}

int main(void)
{
    struct color original = {0, 100, 255};
    struct color inverted = invert(original);
    assert(inverted.red == 255 && inverted.green == 155 && inverted.blue == 0);
    assert(original.green == 100);
    struct range range = widen(widen((struct range){10, 20}, 1), 2);
    assert(range.low == 7 && range.high == 23);
    return 0;
}
