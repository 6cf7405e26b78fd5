// The array lives in the function's outermost block, as long as the pointer to it is used.
// expect: default=safe

#include <assert.h>

int main(void)
{
    int level = 3;
    const char *label = "low";
    char text[8] = "high";
    if (level > 2) {
        text[0] = 'H';
        label = text;
    }
    assert(label[0] == 'H');
    return 0;
}
