// Memory from alloca is used after the function that allocated it has returned.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <alloca.h>

static int *make_buffer(int count)
{
    int *buffer = alloca((unsigned)count * sizeof *buffer);
    for (int i = 0; i < count; i++)
        buffer[i] = i;
    return buffer;
}

int main(void)
{
    int *buffer = make_buffer(3);
    return buffer[1]; //~ memory
}
