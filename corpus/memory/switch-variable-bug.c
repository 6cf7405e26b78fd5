// A variable before the first `case` of a `switch` ends with the `switch`.
// expect: memory=unsafe
int main(void) {
    int found = 0, *kept = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int value;
        case 0:
            value = 3;
            kept = &value;
            break;
        case 1:
            if (*kept > 0) found = 1; //~ memory
        }
    }
    return found;
}
