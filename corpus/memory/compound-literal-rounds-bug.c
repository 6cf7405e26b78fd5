// Each round of a loop has a compound literal of its own: the one of the round before is no more.
// expect: memory=unsafe default=unsafe assert=safe
int main(void) {
    int *kept = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int *now = (int[]){i, i + 1};
        if (kept) sum += kept[1]; //~ memory
        kept = now;
        sum += now[0];
    }
    return sum - 2;
}
