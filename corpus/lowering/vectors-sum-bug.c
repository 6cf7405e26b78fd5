// The sum of a vector's elements is not their maximum.
// expect: assert=unsafe memory=safe

#include <assert.h>

typedef int ints __attribute__((vector_size(16)));

int __VERIFIER_nondet_int(void);

int main(void)
{
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 3)
        return 0;
    ints vector = {0, 0, 0, 0};
    vector[at] = at;
    vector[3 - at]++;
    assert(__builtin_reduce_add(vector) == __builtin_reduce_max(vector)); //~ assert
    return 0;
}
