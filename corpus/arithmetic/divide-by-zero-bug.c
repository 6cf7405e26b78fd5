// The average of an empty list divides by its length.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe overflow=safe

static int average(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count; //~ arithmetic
}

int main(void)
{
    int values[2] = {4, 8};
    int all = average(values, 2);
    int none = average(values, 0);
    return all - none;
}
