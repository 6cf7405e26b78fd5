// A table of distances between labels, and a label that an input chooses.
// expect: default=safe

#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    static const int distances[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero};
    int choice = __VERIFIER_nondet_int();
    int taken;
    if (choice < 0 || choice > 2)
        return 0;
    goto *(&&zero + distances[choice]);
zero:
    taken = 0;
    goto done;
one:
    taken = 1;
    goto done;
two:
    taken = 2;
done:
    assert(taken == choice);
    return 0;
}
