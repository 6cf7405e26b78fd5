// A variable before the first `case` of a `switch` does not keep its value from one time to the next.
// expect: uninit=unsafe
int main(void) {
    int found = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int value;
        case 0:
            value = 3;
            break;
        case 1:
            if (value > 0) found = 1; //~ uninit
        }
    }
    return found;
}
