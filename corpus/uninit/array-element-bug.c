// Every second element of an array is filled, and an odd one is compared.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static void fill(int *values, int count)
{
    for (int i = 0; i < count; i += 2)
        values[i] = i;
}

static int count_zeros(const int *values, int count)
{
    int zeros = 0;
    for (int i = 0; i < count; i++)
        if (values[i] == 0) //~ uninit
            zeros++;
    return zeros;
}

int main(void)
{
    int values[4];
    fill(values, 4);
    return count_zeros(values, 4);
}
