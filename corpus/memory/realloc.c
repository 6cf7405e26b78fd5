// A growing vector: realloc keeps the old elements, whatever it does with the block.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t count;
    size_t capacity;
};

static void append(struct vector *vector, int item)
{
    if (vector->count == vector->capacity) {
        vector->capacity = vector->capacity ? 2 * vector->capacity : 1;
        vector->items = realloc(vector->items, vector->capacity * sizeof *vector->items);
    }
    vector->items[vector->count++] = item;
}

int main(void)
{
    struct vector vector = {NULL, 0, 0};
    for (int i = 0; i < 5; i++)
        append(&vector, 10 * i);
    assert(vector.count == 5 && vector.capacity == 8);
    for (int i = 0; i < 5; i++)
        assert(vector.items[i] == 10 * i);
    free(vector.items);
    return 0;
}
