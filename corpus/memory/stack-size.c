// The same recursion fits a larger stack.
// expect: memory=safe assert=safe
// options: --stack-size=256K

static int walk(int depth)
{
    char buffer[1024];
    buffer[0] = (char)depth;
    return depth == 0 ? 0 : buffer[0] + walk(depth - 1);
}

int main(void)
{
    return walk(100) < 0;
}
