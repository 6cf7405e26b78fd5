// strchr finds the first occurrence, strrchr the last, and both find the terminating zero.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    const char *path = "a/b/c";
    assert(strchr(path, '/') == path + 1);
    assert(strrchr(path, '/') == path + 3);
    assert(strchr(path, 'x') == NULL);
    assert(strrchr(path, 'x') == NULL);
    assert(strchr(path, '\0') == path + 5);
    assert(strrchr(path, 'a') == path);
    return 0;
}
