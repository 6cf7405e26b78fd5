// The size given to memset counts the elements of the wrong array.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static int large[8];
static int small[4];

static void clear(int *array, size_t bytes)
{
    memset(array, 0, bytes); //~ memory
}

int main(void)
{
    clear(large, sizeof large);
    clear(small, sizeof large);
    return 0;
}
