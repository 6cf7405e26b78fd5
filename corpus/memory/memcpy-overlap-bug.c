// memcpy between parts of one buffer that overlap.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <string.h>

static int queue[5] = {1, 2, 3, 4, 5};

int main(void)
{
    memcpy(queue + 1, queue, 4 * sizeof(int)); //~ memory
    return 0;
}
