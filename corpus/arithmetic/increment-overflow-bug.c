// A loop that counts up to INT_MAX inclusive steps over the end.
// expect: default=safe overflow=unsafe

#include <limits.h>

int main(void)
{
    int last = 0;
    for (int i = INT_MAX - 2; i > 0; i++) //~ overflow
        last = i;
    return last == INT_MAX;
}
