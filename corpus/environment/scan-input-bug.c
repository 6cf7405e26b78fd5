// A word of the input can be longer than the room for it.
// expect: memory=unsafe assert=safe
// inputs: too many

#include <stdio.h>

int main(void)
{
    char word[4];
    return scanf("%s", word); //~ memory
}
