// Pointer differences count elements, and pointers into one array are ordered.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stddef.h>

struct triple {
    char bytes[3];
};

static struct triple triples[5];
static double numbers[4];

int main(void)
{
    struct triple *a = &triples[4], *b = &triples[1];
    assert(a - b == 3);
    assert(b - a == -3);
    assert((char *)a - (char *)b == 9);
    double *end = numbers + 4;
    assert(end - numbers == 4);
    assert(numbers < end && end > &numbers[3] && numbers <= &numbers[0]);
    ptrdiff_t step = -2;
    assert(end + step == &numbers[2]);
    assert(&end[-4] == numbers);
    return 0;
}
