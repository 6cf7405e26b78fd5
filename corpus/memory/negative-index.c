// Trimming stops at the first character of the heap block.
// expect: default=safe leak=safe overflow=safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void trim_end(char *text)
{
    int i = (int)strlen(text) - 1;
    while (i >= 0 && text[i] == ' ')
        text[i--] = '\0';
}

int main(void)
{
    char *text = malloc(3);
    memcpy(text, "  ", 3);
    trim_end(text);
    assert(text[0] == '\0');
    memcpy(text, "a ", 3);
    trim_end(text);
    assert(text[0] == 'a' && text[1] == '\0');
    free(text);
    return 0;
}
