// The size of a variable-length array does not fit a pointer: what is left of the product would fit the stack.
// expect: memory=unsafe default=unsafe assert=safe
#include <stddef.h>

static volatile size_t count = ((size_t)-1 >> 2) + 2;

int main(void) {
    int numbers[count]; //~ memory
    numbers[0] = 1;
    return numbers[0] - 1;
}
