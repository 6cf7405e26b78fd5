// Jumping back within a block does not leave it: the variable stays what it is
// expect: default=safe
#include <assert.h>

int main(void) {
    int round = 0;
    int *kept = 0;
    {
    again:
        round++;
        int cell;
        if (round == 1) {
            cell = 5;
            kept = &cell;
        }
        if (round < 3)
            goto again;
        *kept += round;
        assert(kept == &cell && cell == 8);
    }
    return 0;
}
