// A parser moves a cursor along the block and frees the block by its start.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(8);
    strcpy(text, "  word");
    char *cursor = text;
    while (*cursor == ' ')
        cursor++;
    assert(*cursor == 'w');
    free(text);
    return 0;
}
