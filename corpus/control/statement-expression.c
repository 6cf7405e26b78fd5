// Macros of statement expressions and typeof evaluate their arguments once.
// expect: default=safe overflow=safe

#include <assert.h>

#define maximum(a, b) \
    __extension__({ \
        __typeof__(a) a_ = (a); \
        __typeof__(b) b_ = (b); \
        a_ > b_ ? a_ : b_; \
    })

int main(void)
{
    int i = 5;
    assert(maximum(i++, 3) == 5);
    assert(i == 6);
    assert(maximum(-1, maximum(i, 2)) == 6);
    return 0;
}
