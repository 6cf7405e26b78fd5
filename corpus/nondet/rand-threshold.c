// The result of rand is nondeterministic: a comparison with a constant goes both ways.
// expect: default=safe
// final-states: 2

#include <stdlib.h>

static int heads;

int main(void)
{
    srand(1);
    int toss = rand();
    if (toss < 1000)
        heads = 1;
    return 0;
}
