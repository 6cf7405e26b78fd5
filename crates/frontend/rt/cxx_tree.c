/* The search trees of std::map and std::set. libstdc++ keeps them balanced;
 * the results are the same without, so here they are plain search trees. The
 * header's parent is the root, its left and right the first and last node. */
#include "rt.h"

enum { RED, BLACK };

struct node {
    int color;
    struct node *parent, *left, *right;
};

static struct node *first(struct node *node) {
    while (node->left) node = node->left;
    return node;
}

static struct node *last(struct node *node) {
    while (node->right) node = node->right;
    return node;
}

struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *node) {
    if (node->right) return first(node->right);
    struct node *parent = node->parent;
    while (node == parent->right) {
        node = parent;
        parent = parent->parent;
    }
    /* From the last node the header is reached, which is its root's parent. */
    return node->right != parent ? parent : node;
}

struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *node) {
    if (node->color == RED && node->parent->parent == node) return node->right;
    if (node->left) return last(node->left);
    struct node *parent = node->parent;
    while (node == parent->left) {
        node = parent;
        parent = parent->parent;
    }
    return parent;
}

const struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(const struct node *node) {
    return _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base((struct node *)node);
}

const struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(const struct node *node) {
    return _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base((struct node *)node);
}

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, struct node *node,
                                                                       struct node *parent,
                                                                       struct node *header) {
    node->color = BLACK;
    node->parent = parent;
    node->left = node->right = 0;
    if (parent == header) {
        header->parent = header->left = header->right = node;
    } else if (left) {
        parent->left = node;
        if (parent == header->left) header->left = node;
    } else {
        parent->right = node;
        if (parent == header->right) header->right = node;
    }
}

/* Puts another node, or none, where a node is. */
static void replace(struct node *node, struct node *other, struct node *header) {
    if (header->parent == node)
        header->parent = other;
    else if (node->parent->left == node)
        node->parent->left = other;
    else
        node->parent->right = other;
    if (other) other->parent = node->parent;
}

struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *node,
                                                                          struct node *header) {
    if (header->left == node) header->left = node->right ? first(node->right) : node->parent;
    if (header->right == node) header->right = node->left ? last(node->left) : node->parent;
    if (!node->left || !node->right) {
        replace(node, node->left ? node->left : node->right, header);
        return node;
    }
    struct node *next = first(node->right);
    if (next != node->right) {
        replace(next, next->right, header);
        next->right = node->right;
        next->right->parent = next;
    }
    replace(node, next, header);
    next->left = node->left;
    next->left->parent = next;
    return node;
}
