// The amount of a shift is a 64-bit input of which only the low half was checked.
// expect: arithmetic=unsafe overflow=safe assert=safe
// inputs: too many

extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    unsigned long long amount = __VERIFIER_nondet_ulonglong();
    if ((unsigned)amount < 32)
        return 1u << amount == 7; //~ arithmetic
    return 0;
}
