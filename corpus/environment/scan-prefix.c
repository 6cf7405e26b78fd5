// The end of the text is the end of the input for %% as well; a prefix without digits is a zero in
// glibc and no number elsewhere.
// expect: assert=safe

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 7;
    assert(sscanf("", "%%%d", &number) == EOF);
    assert(sscanf("0x1f", "%x", &number) == 1 && number == 31);
    int found = sscanf("0xg", "%x", &number);
    assert((found == 1 && number == 0) || (found == 0 && number == 31));
    return 0;
}
