// Enumerators count on from the last value given, also from negative ones.
// expect: default=safe overflow=safe

#include <assert.h>

enum color { RED, GREEN = 5, BLUE, ALPHA = -1, OPAQUE };
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXECUTE = 1 << 2 };

static const char *name_of(enum color color)
{
    switch (color) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    case ALPHA: return "alpha";
    }
    return "none";
}

int main(void)
{
    assert(RED == 0 && BLUE == 6 && OPAQUE == 0);
    assert(*name_of(BLUE) == 'b' && *name_of(OPAQUE) == 'r' && *name_of(ALPHA) == 'a');
    assert(*name_of((enum color)9) == 'n');
    enum flags flags = READ | EXECUTE;
    assert((flags & WRITE) == 0 && flags == 5);
    assert(sizeof(enum color) == 4);
    return 0;
}
