// The caller of a lookup checks for NULL before it reads the entry.
// expect: default=safe leak=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>

struct entry {
    int key;
    int value;
};

static struct entry table[] = {{1, 10}, {2, 20}, {5, 50}};

static struct entry *find(int key)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].key == key)
            return &table[i];
    return NULL;
}

static int value_or(int key, int fallback)
{
    struct entry *entry = find(key);
    return entry != NULL ? entry->value : fallback;
}

int main(void)
{
    assert(value_or(5, -1) == 50);
    assert(value_or(3, -1) == -1);
    return 0;
}
