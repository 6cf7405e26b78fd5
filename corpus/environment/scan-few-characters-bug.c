// Of a text that ends before the width of %c, glibc makes do with what there is; others do not.
// expect: default=unsafe

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[6] = "";
    assert(sscanf("words", "%5c", word) == 1 && !strcmp(word, "words"));
    assert(sscanf("abc", "%5c", word) != 1); //~ assert
    return 0;
}
