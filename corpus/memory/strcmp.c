// strcmp orders strings by their first different character, a prefix first.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    char key[8] = "beta";
    assert(strcmp(key, "beta") == 0);
    assert(strcmp(key, "alpha") > 0);
    assert(strcmp(key, "bets") < 0);
    assert(strcmp(key, "bet") > 0);
    assert(strcmp("", key) < 0);
    key[0] = (char)0xe9; // compared as unsigned characters
    assert(strcmp(key, "z") > 0);
    return 0;
}
