// strstr finds the first place where the whole word occurs.
// expect: default=safe

#include <assert.h>
#include <string.h>

int main(void)
{
    const char *text = "ababac";
    assert(strstr(text, "abac") == text + 2);
    assert(strstr(text, "ab") == text);
    assert(strstr(text, "bb") == NULL);
    assert(strstr(text, "") == text);
    assert(strstr(text, "ababacx") == NULL);
    return 0;
}
