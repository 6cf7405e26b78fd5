// The global structure pointer is set before a field is stored through it.
// expect: default=safe leak=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>

struct settings {
    int reserved[4];
    int level;
};

static struct settings defaults;
static struct settings *current;

static void set_level(int level)
{
    current->level = level;
}

int main(void)
{
    current = &defaults;
    set_level(3);
    assert(defaults.level == 3);
    return 0;
}
