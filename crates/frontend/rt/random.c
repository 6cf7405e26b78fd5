/* Random numbers that are an input with a range. */
#include "rt.h"

/* From 0 on and below 1: the numbers whose bits, as an integer, are below those of 1. */
double drand48(void) {
    unsigned long long bits = (unsigned long long)__tp_nondet_longlong();
    tp_assume(bits < 0x3ff0000000000000);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}
