// An array initialised from a string literal is a copy that may be changed.
// expect: default=safe

#include <assert.h>

static void capitalise(char *text)
{
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
}

int main(void)
{
    char title[] = "model checker";
    capitalise(title);
    assert(title[0] == 'M' && title[1] == 'o');
    return 0;
}
