// A number is taken for the address of a function and called.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdint.h>

static uintptr_t handlers[2] = {0xdeadbee0, 0xdeadbef0};

int main(void)
{
    void (*handler)(void) = (void (*)(void))handlers[1];
    handler(); //~ memory
    return 0;
}
