// Bytes are copied, set and not set alike; only those that were set are looked at.
// expect: default=safe

#include <assert.h>
#include <string.h>

static void fill(char *text)
{
    strcpy(text, "abc");
}

int main(void)
{
    char source[8], target[8];
    fill(source);
    memcpy(target, source, sizeof target);
    assert(strcmp(target, "abc") == 0);
    return 0;
}
