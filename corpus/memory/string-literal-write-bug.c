// A function that changes its argument in place is given a string literal.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static void capitalise(char *text)
{
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A'); //~ memory
}

int main(void)
{
    char *title = "model checker";
    capitalise(title);
    return 0;
}
