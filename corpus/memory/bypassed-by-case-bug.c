// A variable that a case bypasses ends with its switch all the same
// expect: memory=unsafe
int main(void) {
    int *kept = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
        case 0:;
            int cell = 1;
            kept = &cell;
            break;
        case 1:
            cell = 2;
            break;
        }
    }
    return *kept - 1; //~ memory
}
