// Duff's device: a switch that jumps into the middle of a loop.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

static char target[8];

static void copy(char *to, const char *from, int count)
{
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++; // fall through
    case 3:
            *to++ = *from++; // fall through
    case 2:
            *to++ = *from++; // fall through
    case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
}

int main(void)
{
    copy(target, "abcdefg", 7);
    assert(target[0] == 'a' && target[6] == 'g' && target[7] == 0);
    return 0;
}
