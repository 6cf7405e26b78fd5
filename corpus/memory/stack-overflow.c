// A recursive walk over a list that ends.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node a, b;

static int length(const struct node *list) { return list == NULL ? 0 : 1 + length(list->next); }

int main(void)
{
    a.next = &b;
    assert(length(&a) == 2);
    assert(length(NULL) == 0);
    return 0;
}
