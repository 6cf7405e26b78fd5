// Global initialisers that hold addresses: of variables, elements, members, functions and strings.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>

struct driver {
    const char *name;
    int (*open)(int);
    struct driver *next;
};

static int open_null(int unit) { return unit; }
static int open_disk(int unit) { return unit + 100; }

static int numbers[4] = {1, 2, 3, 4};
static int *third = &numbers[2];
static int **indirect = &third;
static struct driver disk = {"disk", open_disk, NULL};
static struct driver null = {"null", open_null, &disk};
static const char **disk_name = &disk.name;
static int *end = numbers + sizeof numbers / sizeof numbers[0];

int main(void)
{
    assert(*third == 3 && **indirect == 3);
    **indirect = 30;
    assert(numbers[2] == 30);
    assert(null.next->open(7) == 107 && null.open(7) == 7);
    assert((*disk_name)[0] == 'd' && null.name[0] == 'n');
    assert(end[-1] == 4);
    return 0;
}
