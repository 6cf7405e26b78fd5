// A store to a field of a null structure: the address is small but not zero.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stddef.h>

struct settings {
    int reserved[4];
    int level;
};

static struct settings *current;

static void set_level(int level)
{
    current->level = level; //~ memory
}

int main(void)
{
    set_level(3);
    return 0;
}
