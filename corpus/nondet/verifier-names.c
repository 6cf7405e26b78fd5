// The nondeterministic functions under the names of the verification competition.
// expect: default=safe overflow=safe
// final-states: 12

#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int flag, number, byte; // 2 * 3 * 2 combinations

int main(void)
{
    flag = __VERIFIER_nondet_bool();
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= -1 && n <= 1);
    number = n;
    unsigned char b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(b >= 1 && b <= 2);
    byte = b;
    assert(flag == 0 || flag == 1);
    assert(byte == 1 || byte == 2);
    return 0;
}
