// The quotient INT_MIN / -1 is an overflow, and so is the remainder that belongs to it.
// expect: overflow=unsafe arithmetic=unsafe

#include <limits.h>
#include <pthread.h>

static int factor = 1;

static void *flip(void *unused)
{
    factor = -factor;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, flip, 0);
    pthread_join(thread, 0);
    return INT_MIN % factor; //~ overflow arithmetic
}
