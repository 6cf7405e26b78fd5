// The error function of the verification competition, defined by the program itself.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));

void reach_error(void) { __assert_fail("0", "reach-error-bug.c", 7, "reach_error"); } //~ assert

static int turns;

int main(void)
{
    while (turns < 5)
        turns += 2;
    if (turns != 5)
        reach_error(); //~ assert
    return 0;
}
