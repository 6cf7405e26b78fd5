// An abort that guards an impossible case is never reached.
// expect: default=safe overflow=safe

#include <stdlib.h>

static int weight(int kind)
{
    switch (kind & 3) {
    case 0:
        return 1;
    case 1:
    case 2:
        return 5;
    case 3:
        return 9;
    }
    abort();
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += weight(i);
    if (sum != 40)
        abort();
    return 0;
}
