// A field of a structure from calloc is zero before it is set.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

struct account {
    int balance;
    int frozen;
};

int main(void)
{
    struct account *account = calloc(1, sizeof *account);
    account->balance = 10;
    if (!account->frozen)
        account->balance -= 3;
    assert(account->balance == 7);
    free(account);
    return 0;
}
