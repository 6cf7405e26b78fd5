// The head of a list is freed and forgotten, and with it the rest of the list is lost.
// expect: default=safe leak=unsafe

#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *list;

static void push(void)
{
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
}

int main(void)
{
    push();
    push();
    free(list);
    list = NULL;
    return 0;
}
