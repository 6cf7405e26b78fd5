// A table entry that points to a global array is released as if it came from the heap.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

static int shared_default[2] = {1, 2};

struct channel {
    int *gains;
};

static void close_channel(struct channel *channel)
{
    free(channel->gains); //~ memory
    channel->gains = NULL;
}

int main(void)
{
    struct channel channel = {shared_default};
    close_channel(&channel);
    return 0;
}
