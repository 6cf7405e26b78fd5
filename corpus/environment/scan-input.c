// A word and a number of the input, or less.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[4];
    int number = 5;
    int found = scanf("%3s %d", word, &number);
    assert(found >= -1 && found <= 2);
    if (found > 0)
        assert(strlen(word) >= 1);
    if (found < 2)
        assert(number == 5);
    return 0;
}
