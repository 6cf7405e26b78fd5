// A lookup that finds nothing returns NULL, and the caller reads through it.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

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

int main(void)
{
    struct entry *entry = find(3);
    return entry->value; //~ memory
}
