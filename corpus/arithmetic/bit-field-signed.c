// A signed bit-field extends its sign when it is read; an unsigned one does not.
// expect: default=safe overflow=safe

#include <assert.h>

struct fields {
    signed int level : 4;
    unsigned int mask : 4;
    signed int flag : 1;
};

static struct fields make(int level, unsigned mask, int flag)
{
    struct fields fields = {0};
    fields.level = level;
    fields.mask = mask;
    fields.flag = flag;
    return fields;
}

int main(void)
{
    struct fields a = make(7, 7, 0);
    assert(a.level == 7 && a.mask == 7 && a.flag == 0);
    struct fields b = make(8, 8, 1);
    assert(b.level == -8 && b.mask == 8 && b.flag == -1);
    struct fields c = make(-1, 31, 2);
    assert(c.level == -1 && c.mask == 15 && c.flag == 0);
    c.mask++;
    assert(c.mask == 0 && c.level == -1);
    return 0;
}
