// A pointer survives the way through an integer, and arithmetic on the integer moves it by bytes.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

static int numbers[3] = {10, 20, 30};

int main(void)
{
    uintptr_t address = (uintptr_t)&numbers[0];
    assert(address != 0);
    assert(*(int *)address == 10);
    assert(*(int *)(address + 2 * sizeof(int)) == 30);
    assert((uintptr_t)&numbers[1] - address == sizeof(int));
    *(int *)(address + sizeof(int)) = 21;
    assert(numbers[1] == 21);
    assert((void *)(intptr_t)address == (void *)numbers);
    return 0;
}
