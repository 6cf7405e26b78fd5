// The elements of a variable length array start out uninitialised.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static int any_set(int count)
{
    int flags[count];
    for (int i = 1; i < count; i++)
        flags[i] = 0;
    for (int i = 0; i < count; i++)
        if (flags[i]) //~ uninit
            return 1;
    return 0;
}

int main(void)
{
    return any_set(3);
}
