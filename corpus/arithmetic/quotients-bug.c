// `div` by zero.
// expect: arithmetic=unsafe
#include <stdlib.h>

int shares;

int main(void)
{
    return div(6, shares).quot;
}
