// A 64-bit word is shifted by its full width.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include <stdint.h>

static uint64_t rotate_left(uint64_t word, unsigned count)
{
    return (word << count) | (word >> (64 - count)); //~ arithmetic
}

int main(void)
{
    return rotate_left(0x8000000000000001u, 0) == 0;
}
