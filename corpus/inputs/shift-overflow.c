// A flag is shifted by an amount that comes from outside, but stays below the sign bit.
// expect: overflow=safe arithmetic=safe assert=safe

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned amount = __VERIFIER_nondet_uint();
    int flag = __VERIFIER_nondet_int();
    if (amount < 30 && flag >= 0 && flag < 2)
        return (flag << amount) == 3;
    return 0;
}
