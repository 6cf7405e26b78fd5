// A variable before the first `case` of a `switch` is there until the `switch` is left.
// expect: default=safe
#include <assert.h>

int main(void) {
    int *kept = 0;
    for (int round = 0; round < 2; round++) {
        switch (0) {
            int value;
        case 0: {
            value = round;
            kept = &value;
        }
        case 1:
            assert(*kept == round);
        }
    }
    return 0;
}
