// The error function of the verification competition, only declared.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

extern void reach_error(void);

static int turns;

int main(void)
{
    while (turns < 5)
        turns += 2;
    if (turns != 5)
        reach_error(); //~ assert
    return 0;
}
