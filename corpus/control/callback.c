// A visitor walks an array and hands every element, with a context, to a callback.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stddef.h>

typedef void (*visitor)(int value, void *context);

static void visit(const int *values, size_t count, visitor visitor, void *context)
{
    for (size_t i = 0; i < count; i++)
        visitor(values[i], context);
}

static void add_to(int value, void *context)
{
    *(int *)context += value;
}

static void keep_largest(int value, void *context)
{
    int *largest = context;
    if (value > *largest)
        *largest = value;
}

int main(void)
{
    const int values[] = {3, 9, 4};
    int sum = 0, largest = 0;
    visit(values, 3, add_to, &sum);
    visit(values, 3, keep_largest, &largest);
    assert(sum == 16 && largest == 9);
    return 0;
}
