/* The rings of std::list. */
#include "rt.h"

struct node {
    struct node *next, *previous;
};

static void join(struct node *node, struct node *next) {
    node->next = next;
    next->previous = node;
}

void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node *node, struct node *at) {
    join(at->previous, node);
    join(node, at);
}

void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct node *node) { join(node->previous, node->next); }

/* Moves the nodes from the first up to the last, which stays, before a node. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct node *at, struct node *first, struct node *last) {
    if (at == last) return;
    struct node *end = last->previous;
    join(first->previous, last);
    join(at->previous, first);
    join(end, at);
}

void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct node *ring) {
    struct node *node = ring;
    do {
        struct node *next = node->next;
        node->next = node->previous;
        node->previous = next;
        node = next;
    } while (node != ring);
}

/* An empty ring is its head alone, which must not be taken over. */
void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct node *a, struct node *b) {
    struct node first = *a, second = *b;
    int a_is_empty = first.next == a, b_is_empty = second.next == b;
    if (b_is_empty) join(a, a);
    else join(a, second.next), join(second.previous, a);
    if (a_is_empty) join(b, b);
    else join(b, first.next), join(first.previous, b);
}
