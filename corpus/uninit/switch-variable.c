// A variable before the first `case` of a `switch` keeps its value from one `case` to the next.
// expect: default=safe
#include <assert.h>

int main(void) {
    for (int round = 0; round < 2; round++) {
        switch (0) {
            int value;
        case 0: {
            value = 3;
        }
        case 1:
            assert(value == 3);
        }
    }
    return 0;
}
