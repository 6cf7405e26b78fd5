// Structures by value in the 32-bit data model are passed and returned through memory.
// expect: default=safe overflow=safe
// data-model: ilp32

#include <assert.h>

struct range {
    long low, high;
};

struct sample {
    char tag;
    long long time;
    double value;
};

static struct range shift(struct range range, int by)
{
    return (struct range){range.low + by, range.high + by};
}

static struct sample later(struct sample sample, long long by)
{
    sample.time += by;
    sample.value *= 2;
    return sample;
}

int main(void)
{
    struct range range = shift((struct range){1, 5}, 10);
    assert(range.low == 11 && range.high == 15);
    struct sample first = {'a', 4294967295LL, 1.25};
    struct sample second = later(first, 2);
    assert(second.time == 4294967297LL && second.value == 2.5 && second.tag == 'a');
    assert(first.time == 4294967295LL);
    return 0;
}
