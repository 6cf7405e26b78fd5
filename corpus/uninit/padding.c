// Two structures with padding are compared field by field.
// expect: default=safe

#include <assert.h>
#include <stdbool.h>

struct item {
    char tag;
    int weight;
};

static void set(struct item *item, char tag, int weight)
{
    item->tag = tag;
    item->weight = weight;
}

static bool equal(const struct item *a, const struct item *b)
{
    return a->tag == b->tag && a->weight == b->weight;
}

int main(void)
{
    struct item a, b;
    set(&a, 'x', 5);
    set(&b, 'x', 5);
    assert(equal(&a, &b));
    struct item c = a;
    assert(equal(&c, &b));
    return 0;
}
