// A lost block is both a leak and not freed at the end.
// expect: leak=unsafe cleanup=unsafe

#include <stdlib.h>

struct list {
    struct list *next;
};

int main(void)
{
    struct list *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct list *node = malloc(sizeof *node); //~ leak, cleanup
        node->next = NULL;
        list = node;
    }
    free(list);
    return 0;
}
