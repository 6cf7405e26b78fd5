// strncpy pads a short string with zeros and cuts a long one without a terminating zero.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static char field[5] = "zzzz";

int main(void)
{
    const char *shorter = "a";
    const char *longer = "abcdef";
    strncpy(field, shorter, 3);
    assert(field[0] == 'a' && field[1] == '\0' && field[2] == '\0');
    assert(field[3] == 'z');
    strncpy(field, longer, 3);
    assert(field[2] == 'c' && field[3] == 'z' && field[4] == '\0');
    return 0;
}
