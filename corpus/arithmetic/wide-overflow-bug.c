// A signed 128-bit sum overflows.
// expect: default=safe overflow=unsafe

static __int128 sum(__int128 a, __int128 b)
{
    return a + b; //~ overflow
}

int main(void)
{
    __int128 half = (__int128)1 << 126;
    return sum(half, half - 1) > 0 && sum(half, half) != 0;
}
