/* Numbers in texts. Integers that do not fit are the largest or smallest, with
 * ERANGE in errno. */
#include <errno.h>
#include <limits.h>

#include "rt.h"

static int digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    return p;
}

struct magnitude {
    unsigned long long value;
    int negative, overflow;
};

/* The magnitude of the number at s, and its sign. */
static struct magnitude parse(const char *s, char **end, int base) {
    struct magnitude number = {0, 0, 0};
    const char *p = skip_blanks(s);
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        if (end) *end = (char *)s;
        return number;
    }
    number.negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) < 16) {
        p += 2;
        base = 16;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    const char *digits = p;
    for (; digit(*p) < base; p++) {
        unsigned long long next;
        number.overflow |= __builtin_mul_overflow(number.value, (unsigned long long)base, &next);
        number.overflow |= __builtin_add_overflow(next, (unsigned long long)digit(*p), &number.value);
    }
    if (end) *end = (char *)(p == digits ? s : p);
    return number;
}

static long long to_signed(const char *s, char **end, int base, long long least, long long most) {
    struct magnitude number = parse(s, end, base);
    unsigned long long limit = number.negative ? 0 - (unsigned long long)least : (unsigned long long)most;
    if (number.overflow || number.value > limit) {
        *__errno_location() = ERANGE;
        return number.negative ? least : most;
    }
    return (long long)(number.negative ? 0 - number.value : number.value);
}

static unsigned long long to_unsigned(const char *s, char **end, int base, unsigned long long most) {
    struct magnitude number = parse(s, end, base);
    if (number.overflow || number.value > most) {
        *__errno_location() = ERANGE;
        return most;
    }
    return number.negative ? 0 - number.value : number.value;
}

long long strtoll(const char *s, char **end, int base) { return to_signed(s, end, base, LLONG_MIN, LLONG_MAX); }
long strtol(const char *s, char **end, int base) { return (long)to_signed(s, end, base, LONG_MIN, LONG_MAX); }
unsigned long long strtoull(const char *s, char **end, int base) { return to_unsigned(s, end, base, ULLONG_MAX); }
unsigned long strtoul(const char *s, char **end, int base) {
    return (unsigned long)to_unsigned(s, end, base, ULONG_MAX);
}
intmax_t strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
uintmax_t strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

/* As in glibc: the long, cut to what fits. */
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

/* What newer headers call for C23. */
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

/* The digits of a floating-point number, as an integer and a power of ten. */
static const char *decimal(const char *p, unsigned long long *digits, int *power) {
    *digits = 0;
    *power = 0;
    int point = 0;
    for (; digit(*p) < 10 || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = 1;
            continue;
        }
        if (*digits >> 49) __tp_unsupported("a floating-point number with so many digits in a text");
        *digits = *digits * 10 + (unsigned)digit(*p);
        *power -= point;
    }
    return p;
}

/* Up to 2 to the 53rd, times or divided by a power of ten up to the 22nd, the
 * result is rounded once, and therefore right. */
double strtod(const char *s, char **end) {
    const char *p = skip_blanks(s);
    int negative = *p == '-', power;
    unsigned long long digits;
    if (*p == '-' || *p == '+') p++;
    if (*p == 'i' || *p == 'I' || *p == 'n' || *p == 'N') __tp_unsupported("infinity or NaN in a text");
    if (*p == '0' && (p[1] == 'x' || p[1] == 'X')) __tp_unsupported("a hexadecimal floating-point number");
    const char *rest = decimal(p, &digits, &power);
    if (rest == p || (rest == p + 1 && *p == '.')) {
        if (end) *end = (char *)s;
        return 0;
    }
    if ((*rest == 'e' || *rest == 'E') && (digit(rest[1]) < 10 || ((rest[1] == '-' || rest[1] == '+') && digit(rest[2]) < 10))) {
        char *after;
        long exponent = strtol(rest + 1, &after, 10);
        if (exponent < -1000 || exponent > 1000) __tp_unsupported("a floating-point number of this size in a text");
        power += (int)exponent;
        rest = after;
    }
    if (end) *end = (char *)rest;
    if (digits && (power < -22 || power > 22)) __tp_unsupported("a floating-point number of this size in a text");
    double scale = 1, value = (double)digits;
    for (int i = power < 0 ? -power : power; digits && i > 0; i--) scale *= 10;
    value = power < 0 ? value / scale : value * scale;
    return negative ? -value : value;
}

float strtof(const char *s, char **end) { return (float)strtod(s, end); }
double atof(const char *s) { return strtod(s, 0); }
