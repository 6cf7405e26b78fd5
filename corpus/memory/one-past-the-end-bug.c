// A reversed loop starts by reading the element one past the end.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static int numbers[3] = {1, 2, 3};

int main(void)
{
    int sum = 0;
    for (int *p = numbers + 3; p != numbers; p--)
        sum += *p; //~ memory
    return sum;
}
