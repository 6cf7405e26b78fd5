// A recursive walk over a list that has become a ring never ends.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe
// options: --stack-size=256K

#include <stddef.h>

struct node {
    struct node *next;
};

static struct node a, b;

static int length(const struct node *list) { return list == NULL ? 0 : 1 + length(list->next); } //~ memory

int main(void)
{
    a.next = &b;
    b.next = &a;
    return length(&a);
}
