// A product of two ints overflows before it is widened to 64 bits.
// expect: default=safe overflow=unsafe

static long long area(int width, int height)
{
    return width * height; //~ overflow
}

int main(void)
{
    return area(65536, 65536) > 0;
}
