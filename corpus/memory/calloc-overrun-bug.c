// The element count given to calloc is one too small.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

static long *totals_for(size_t last_index)
{
    return calloc(last_index, sizeof(long));
}

int main(void)
{
    long *totals = totals_for(3);
    totals[3] += 1; //~ memory
    free(totals);
    return 0;
}
