// A number is printed that only one of the branches sets.
// expect: uninit=unsafe assert=safe memory=safe

#include <stdio.h>
#include "threadproof.h"

int main(void)
{
    int result;
    if (tp_nondet_bool())
        result = 1;
    printf("%d\n", result); //~ uninit
    return 0;
}
