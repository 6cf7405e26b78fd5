/* Functions of mathematics that take floating-point numbers apart and put them
 * together. All are exact or round once, so each has one right result; what the
 * standard leaves open is as in glibc on x86. Those for `float` compute with
 * `double`, in which every `float` and every result before rounding is exact. */
#include <errno.h>
#include <limits.h>
#include <math.h>

#include "rt.h"

enum { BIAS = 1023, FRACTION_BITS = 52, LARGEST_EXPONENT = 0x7ff };

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int exponent(double x) { return (int)(bits_of(x) >> FRACTION_BITS) & LARGEST_EXPONENT; }

static int is_finite(double x) { return exponent(x) != LARGEST_EXPONENT; }

double frexp(double x, int *power) {
    *power = 0;
    if (x == 0 || !is_finite(x)) return x;
    if (exponent(x) == 0) {
        x *= 0x1p54;
        *power = -54;
    }
    *power += exponent(x) - (BIAS - 1);
    uint64_t others = ~((uint64_t)LARGEST_EXPONENT << FRACTION_BITS);
    return of_bits((bits_of(x) & others) | (uint64_t)(BIAS - 1) << FRACTION_BITS);
}

float frexpf(float x, int *power) { return (float)frexp(x, power); }

/* A power of two that a normal number can be. */
static double power_of_two(int n) { return of_bits((uint64_t)(BIAS + n) << FRACTION_BITS); }

/* Only the last multiplication rounds: those before it leave the number normal. */
static double scaled(double x, int n) {
    for (int rounds = 0; n > 1023 && rounds < 2; rounds++) {
        x *= 0x1p1023;
        n -= 1023;
    }
    for (int rounds = 0; n < -1022 && rounds < 2; rounds++) {
        x *= 0x1p-1022 * 0x1p53;
        n += 1022 - 53;
    }
    if (n > 1023) n = 1023;
    if (n < -1022) n = -1022;
    return x * power_of_two(n);
}

/* A finite number other than 0 became infinite or 0. */
static void note_range(double from, double to) {
    if (from != 0 && is_finite(from) && (to == 0 || !is_finite(to))) *__errno_location() = ERANGE;
}

double ldexp(double x, int n) {
    double result = scaled(x, n);
    note_range(x, result);
    return result;
}

float ldexpf(float x, int n) {
    float result = (float)scaled(x, n);
    note_range(x, result);
    return result;
}

double scalbn(double x, int n) { return ldexp(x, n); }
float scalbnf(float x, int n) { return ldexpf(x, n); }

static int as_int(long n) { return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n; }

double scalbln(double x, long n) { return ldexp(x, as_int(n)); }
float scalblnf(float x, long n) { return ldexpf(x, as_int(n)); }

double modf(double x, double *whole) {
    *whole = trunc(x);
    double rest = isinf(x) ? 0 : x - *whole;
    return copysign(rest, x);
}

float modff(float x, float *whole) {
    double in_front;
    float rest = (float)modf(x, &in_front);
    *whole = (float)in_front;
    return rest;
}

int ilogb(double x) {
    int power;
    if (x == 0 || !is_finite(x)) {
        *__errno_location() = EDOM;
        return x == 0 ? FP_ILOGB0 : isnan(x) ? FP_ILOGBNAN : INT_MAX;
    }
    frexp(x, &power);
    return power - 1;
}

int ilogbf(float x) { return ilogb(x); }

double logb(double x) {
    if (!is_finite(x)) return x * x;
    return x == 0 ? -HUGE_VAL : ilogb(x);
}

float logbf(float x) { return (float)logb(x); }

static int fits_long(double x) { return x >= (double)LONG_MIN && x < -(double)LONG_MIN; }
static int fits_long_long(double x) { return x >= (double)LLONG_MIN && x < -(double)LLONG_MIN; }

static long to_long(double x) { return fits_long(x) ? (long)x : LONG_MIN; }
static long long to_long_long(double x) { return fits_long_long(x) ? (long long)x : LLONG_MIN; }

long lrint(double x) { return to_long(rint(x)); }
long lrintf(float x) { return to_long(rint(x)); }
long long llrint(double x) { return to_long_long(rint(x)); }
long long llrintf(float x) { return to_long_long(rint(x)); }
long lround(double x) { return to_long(round(x)); }
long lroundf(float x) { return to_long(round(x)); }
long long llround(double x) { return to_long_long(round(x)); }
long long llroundf(float x) { return to_long_long(round(x)); }

double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fdimf(float x, float y) { return (float)(x <= y ? 0 : x - y); }

/* The next number is the next in bits. */
double nextafter(double x, double y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(of_bits(1), y);
    uint64_t bits = bits_of(x);
    double next = of_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
    if (exponent(next) == 0 || !is_finite(next)) *__errno_location() = ERANGE;
    return next;
}

float nextafterf(float x, float y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    union {
        float number;
        uint32_t bits;
    } next = {x};
    if (x == 0) return copysignf(0x1p-149f, y);
    next.bits += (x < y) == (x > 0) ? 1 : -1;
    uint32_t power = next.bits >> 23 & 0xff;
    if (power == 0 || power == 0xff) *__errno_location() = ERANGE;
    return next.number;
}
