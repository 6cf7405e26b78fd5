// A parser moves its pointer along the block and then frees the moved pointer.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(8);
    strcpy(text, "  word");
    while (*text == ' ')
        text++;
    free(text); //~ memory
    return 0;
}
