// Destroying a list reads the next pointer of a node that was just freed.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

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
        free(list);
        list = list->next; //~ memory
    }
}

int main(void)
{
    destroy(push(push(NULL, 1), 2));
    return 0;
}
