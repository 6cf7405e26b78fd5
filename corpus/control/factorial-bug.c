// The factorial of 13 does not fit an int.
// expect: default=safe overflow=unsafe

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1); //~ overflow
}

int main(void)
{
    return factorial(13) == 0;
}
