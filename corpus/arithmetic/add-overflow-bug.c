// The middle of two large indices computed as (low + high) / 2 overflows.
// expect: default=safe overflow=unsafe

static int middle(int low, int high)
{
    return (low + high) / 2; //~ overflow
}

int main(void)
{
    return middle(1500000000, 1600000000) > 0;
}
