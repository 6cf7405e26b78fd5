// The older error function of the verification competition.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

extern void __VERIFIER_error(void);

static unsigned state = 1;

int main(void)
{
    for (int i = 0; i < 3; i++)
        state = state * 2 + 1;
    if (state == 15)
        __VERIFIER_error(); //~ assert
    return 0;
}
