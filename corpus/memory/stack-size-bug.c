// A buffer in every call of a recursion is too much for a small stack.
// expect: memory=unsafe assert=safe
// options: --stack-size=64K

static int walk(int depth)
{
    char buffer[1024]; //~ memory
    buffer[0] = (char)depth;
    return depth == 0 ? 0 : buffer[0] + walk(depth - 1); //~ memory
}

int main(void)
{
    return walk(100) < 0;
}
