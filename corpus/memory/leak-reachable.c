// A list that hangs on a global variable when the program ends is no leak.
// expect: default=safe leak=safe
// final-states: 1

#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *cache;

static void remember(int value)
{
    struct node *node = calloc(1, sizeof *node);
    node->value = value;
    node->next = cache;
    cache = node;
}

int main(void)
{
    remember(1);
    remember(2);
    remember(3);
    return 0;
}
