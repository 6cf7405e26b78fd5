// The largest int whose square fits is 46340; the range reaches beyond it.
// expect: default=safe overflow=unsafe

#include "threadproof.h"

int main(void)
{
    int side = tp_nondet_int();
    tp_assume(side >= 46338 && side <= 46342);
    int area = side * side; //~ overflow
    return area == 0;
}
