// A time that only seeds the generator of random numbers is no input.
// expect: default=safe
// final-states: 2

#include <stdlib.h>
#include <time.h>

static int heads;

int main(void)
{
    unsigned seed = (unsigned)time(NULL);
    srand(seed);
    heads = rand() % 2;
    return 0;
}
