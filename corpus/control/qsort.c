// qsort with comparators over numbers and over structures.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char text[6];
    int count;
};

static int numbers[4] = {40, -3, 22, 7};
static struct word words[3] = {{"pear", 2}, {"fig", 9}, {"apple", 5}};

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int by_text(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    return strcmp(a->text, b->text);
}

int main(void)
{
    qsort(numbers, 4, sizeof numbers[0], by_value);
    for (int i = 0; i + 1 < 4; i++)
        assert(numbers[i] < numbers[i + 1]);
    assert(numbers[0] == -3 && numbers[3] == 40);
    qsort(words, 3, sizeof words[0], by_text);
    assert(words[0].count == 5 && words[1].count == 9 && words[2].count == 2);
    return 0;
}
