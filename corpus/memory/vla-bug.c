// The highest index of a variable length array is its length less one.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static int last_of(int count)
{
    int values[count];
    for (int i = 0; i < count; i++)
        values[i] = i;
    return values[count]; //~ memory
}

int main(void)
{
    return last_of(3);
}
