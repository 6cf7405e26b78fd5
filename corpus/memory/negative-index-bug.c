// Trimming a text of blanks only walks to index -1 of a heap block.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>
#include <string.h>

static void trim_end(char *text)
{
    int i = (int)strlen(text) - 1;
    while (text[i] == ' ') //~ memory
        text[i--] = '\0';
}

int main(void)
{
    char *text = malloc(3);
    memcpy(text, "  ", 3);
    trim_end(text);
    free(text);
    return 0;
}
