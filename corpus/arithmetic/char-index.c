// A table of all characters is indexed with an unsigned char.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

static int counts[256];

static void count(const char *text)
{
    for (; *text; text++)
        counts[(unsigned char)*text]++;
}

int main(void)
{
    count("a\xe9");
    assert(counts['a'] == 1 && counts[0xe9] == 1);
    return 0;
}
