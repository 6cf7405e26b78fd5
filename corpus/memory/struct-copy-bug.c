// A structure that owns memory is copied shallowly, and both copies release that memory.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

struct buffer {
    char *bytes;
    size_t size;
};

static void release(struct buffer *buffer)
{
    free(buffer->bytes); //~ memory
    buffer->bytes = NULL;
}

int main(void)
{
    struct buffer original = {malloc(4), 4};
    struct buffer copy = original;
    release(&copy);
    release(&original);
    return 0;
}
