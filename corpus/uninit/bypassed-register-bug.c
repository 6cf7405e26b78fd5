// A jump into a block past a declaration finds no value there, though the block was left with one.
// expect: uninit=unsafe
int main(void) {
    int round = 0, found = 0;
again:
    if (round == 1) goto inside;
    {
        int value = 5;
        round++;
        if (round < 2) goto again;
    inside:
        if (value > 0) found = 1; //~ uninit
    }
    return found;
}
