// A function relies on the value its local variable had in the previous call.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static int remember(int set)
{
    int cell[1];
    int *slot = cell;
    if (set)
        slot[0] = 9;
    return slot[0];
}

int main(void)
{
    if (remember(1) != 9)
        return 1;
    if (remember(0) != 9) //~ uninit
        return 2;
    return 0;
}
