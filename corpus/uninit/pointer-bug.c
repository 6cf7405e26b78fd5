// An uninitialised pointer in a fresh heap node is followed.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    int second = node->next->value; //~ uninit
    free(node);
    return second;
}
