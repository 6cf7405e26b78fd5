// strncmp looks at no more than the given number of characters.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    char header[6] = {'G', 'E', 'T', ' ', '/', 'x'}; // not terminated
    assert(strncmp(header, "GET ", 4) == 0);
    assert(strncmp(header, "GEM", 3) > 0);
    assert(strncmp(header, "PUT", 0) == 0);
    assert(strncmp("ab", "abc", 2) == 0);
    assert(strncmp("ab", "abc", 3) < 0);
    assert(strncmp("ab", "ab", 10) == 0);
    return 0;
}
