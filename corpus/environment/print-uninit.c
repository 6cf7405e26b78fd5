// A number is printed that both branches set.
// expect: default=safe

#include <stdio.h>
#include "threadproof.h"

int main(void)
{
    int result;
    if (tp_nondet_bool())
        result = 1;
    else
        result = 2;
    printf("%d\n", result);
    return 0;
}
