// A case bypasses the initialisation: what the variable held in an earlier round is gone
// expect: uninit=unsafe
#include <stdlib.h>

static void set(int *cell) {
    *cell = 1;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        switch (round) {
        case 0:;
            int cell;
            set(&cell);
            break;
        case 1:
            if (cell) //~ uninit
                abort();
            break;
        }
    }
    return 0;
}
