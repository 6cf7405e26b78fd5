// Break and continue concern the innermost loop only.
// expect: default=safe overflow=safe

#include <assert.h>

int main(void)
{
    int pairs = 0, outer = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if (j == 1)
                continue;
            if (j > i)
                break;
            pairs++;
        }
        if (i == 3)
            break;
        outer++;
    }
    assert(outer == 3);
    assert(pairs == 7); // 1 + 1 + 2 + 3: the pairs j <= i without j = 1
    return 0;
}
