// A field of a structure from malloc is tested before it is set.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <stdlib.h>

struct account {
    int balance;
    int frozen;
};

int main(void)
{
    struct account *account = malloc(sizeof *account);
    account->balance = 10;
    if (!account->frozen) //~ uninit
        account->balance -= 3;
    free(account);
    return 0;
}
