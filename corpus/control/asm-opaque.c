// Empty assembly that hides values from the optimiser, in registers of any kind, changes nothing.
// expect: default=safe
// final-states: 1

#include <assert.h>

int main(void)
{
    int whole = 3;
    double number = 1.5;
    int *pointer = &whole;
    __asm__ volatile("" : "+r"(whole));
    __asm__ volatile("" : "+x"(number));
    __asm__ volatile("" : "+rm"(whole) : "r"(pointer) : "memory");
    __asm__ volatile("" : : "X"(number), "g"(pointer) : "memory");
    assert(whole == 3 && number == 1.5 && *pointer == 3);
    return 0;
}
