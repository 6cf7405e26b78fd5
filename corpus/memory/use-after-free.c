// Destroying a list saves the next pointer before the node is freed.
// expect: default=safe leak=safe

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    destroy(push(push(NULL, 1), 2));
    return 0;
}
