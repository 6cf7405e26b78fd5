// A variable of the environment need not be set.
// expect: memory=unsafe

#include <stdlib.h>

int main(void)
{
    return atoi(getenv("THREADS")); //~ memory
}
