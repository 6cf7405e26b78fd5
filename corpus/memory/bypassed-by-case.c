// A variable that a case bypasses is one object while its switch is not left
// expect: default=safe
#include <assert.h>

int main(void) {
    int *kept = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
        case 0:;
            int cell = 1;
            kept = &cell;
            for (int step = 0; step < 2; step++) {
                if (step == 0)
                    continue;
                *kept += step;
            }
            /* falls through */
        case 1:
            if (round == 1) {
                kept = &cell;
                cell = 1;
            }
            *kept += 1;
            assert(cell == 3 - round);
            break;
        }
    }
    return 0;
}
