// A search without a sentinel reads past the end of an array on the stack.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static int position_of(const int *values, int wanted)
{
    int i = 0;
    while (values[i] != wanted) //~ memory
        i++;
    return i;
}

int main(void)
{
    int values[3] = {4, 8, 15};
    return position_of(values, 16);
}
