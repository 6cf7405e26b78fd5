// A function of the C library that is declared with fewer parameters than it has: what it is given is not known.
// expect: assert=unknown

#include <assert.h>

unsigned long strnlen(const char *text);

int main(void)
{
    assert(strnlen("abc") == 3);
    return 0;
}
