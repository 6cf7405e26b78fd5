// A division by zero in an argument of printf is a fault like any other.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include <stdio.h>

static int done, total;

int main(void)
{
    printf("%d%%\n", 100 * done / total); //~ arithmetic
    return 0;
}
