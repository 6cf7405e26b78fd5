// Without --malloc-may-fail an allocation that nobody tests succeeds.
// expect: default=safe
#include <stdlib.h>

int main(void) {
    int *number = malloc(sizeof *number);
    *number = 1;
    free(number);
    return 0;
}
