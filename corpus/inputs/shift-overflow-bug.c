// A flag is shifted by an amount that comes from outside, up to the sign bit.
// expect: overflow=unsafe arithmetic=safe assert=safe

extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned amount = __VERIFIER_nondet_uint();
    int flag = __VERIFIER_nondet_int();
    if (amount < 32 && flag >= 0 && flag < 4)
        return (flag << amount) == 3; //~ overflow
    return 0;
}
