// A block that is entered by goto again has a new variable: the pointer is to the one before
// expect: memory=unsafe
int main(void) {
    int *kept = 0;
    int round = 0;
enter:
    if (round == 1)
        goto inside;
    {
        int cell;
    inside:
        if (round == 0)
            kept = &cell;
        else
            *kept = 1; //~ memory
        round++;
    }
    if (round < 2)
        goto enter;
    return 0;
}
