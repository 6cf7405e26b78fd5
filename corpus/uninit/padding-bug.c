// Two structures are compared byte by byte, and so by their padding, which nobody set.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <string.h>

struct item {
    char tag;
    int weight;
};

static void set(struct item *item, char tag, int weight)
{
    item->tag = tag;
    item->weight = weight;
}

int main(void)
{
    struct item a, b;
    set(&a, 'x', 5);
    set(&b, 'x', 5);
    if (memcmp(&a, &b, sizeof a) == 0) //~ uninit
        return 1;
    return 0;
}
