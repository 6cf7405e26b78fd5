// Which of two heap objects lies lower is not known: the second one may.
// expect: assert=unsafe
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *first = malloc(sizeof *first);
    int *second = malloc(sizeof *second);
    assert(first < second); //~ assert
    free(first);
    free(second);
    return 0;
}
