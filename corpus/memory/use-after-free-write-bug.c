// A write through a second pointer to a block that was freed, after the block's size was allocated again.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *first = malloc(sizeof *first);
    int *alias = first;
    *first = 1;
    free(first);
    int *second = malloc(sizeof *second);
    *second = 2;
    *alias = 3; //~ memory
    assert(*second == 2);
    free(second);
    return 0;
}
