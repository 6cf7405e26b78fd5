// Widths and sets of characters in formats of sscanf.
// expect: default=safe

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int year, month, day;
    char word[4], rest[8];
    assert(sscanf("20261116", "%4d%2d%2d", &year, &month, &day) == 3);
    assert(year == 2026 && month == 11 && day == 16);
    assert(sscanf("abcdef", "%3s%s", word, rest) == 2);
    assert(!strcmp(word, "abc") && !strcmp(rest, "def"));
    assert(sscanf("key=12", "%[a-z]=%d", rest, &day) == 2 && !strcmp(rest, "key") && day == 12);
    return 0;
}
