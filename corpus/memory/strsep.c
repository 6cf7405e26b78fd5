// strsep takes empty parts, too, and says when there are no more.
// expect: default=safe
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[] = "a,,b";
    char *rest = text;
    assert(!strcmp(strsep(&rest, ","), "a"));
    assert(!strcmp(strsep(&rest, ","), ""));
    assert(!strcmp(strsep(&rest, ","), "b"));
    assert(!rest && !strsep(&rest, ","));
    return 0;
}
