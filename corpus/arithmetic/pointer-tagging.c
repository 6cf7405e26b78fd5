// A mark in the lowest bit of an aligned pointer is set, tested and taken off again.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *mark(struct node *node) { return (struct node *)((uintptr_t)node | 1); }
static struct node *unmark(struct node *node) { return (struct node *)((uintptr_t)node & ~(uintptr_t)1); }
static bool is_marked(struct node *node) { return (uintptr_t)node & 1; }

int main(void)
{
    struct node *node = malloc(sizeof *node);
    node->value = 6;
    node->next = NULL;
    assert(((uintptr_t)node & 7) == 0);
    struct node *tagged = mark(node);
    assert(is_marked(tagged) && !is_marked(node));
    assert(tagged != node && unmark(tagged) == node);
    assert(unmark(tagged)->value == 6);
    assert(is_marked(mark(NULL)) && unmark(mark(NULL)) == NULL);
    free(node);
    return 0;
}
