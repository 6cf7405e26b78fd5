// Seconds times a billion overflows even 64 bits.
// expect: default=safe overflow=unsafe

static long long nanoseconds(long long seconds)
{
    return seconds * 1000000000LL; //~ overflow
}

int main(void)
{
    return nanoseconds(9223372037LL) != 0;
}
