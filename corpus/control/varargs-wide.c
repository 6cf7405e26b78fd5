// Variable arguments with an alignment of 16, whether or not enough registers are left for them.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdarg.h>

typedef float four __attribute__((vector_size(16)));

struct pair {
    _Alignas(16) long first;
    long second;
};

struct wide {
    __int128 number;
    int digit;
};

struct real {
    long double value;
};

static long digits(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    long number = 0;
    for (; *kinds; kinds++) {
        number *= 10;
        switch (*kinds) {
        case 'i': number += va_arg(list, int); break;
        case 'q': number += (long)va_arg(list, __int128); break;
        case 'l': number += (long)va_arg(list, long double); break;
        case 'p': number += va_arg(list, struct pair).second; break;
        case 'w': number += va_arg(list, struct wide).digit; break;
        case 'r': number += (long)va_arg(list, struct real).value; break;
        case 'v': number += (long)va_arg(list, four)[3]; break;
        }
    }
    va_end(list);
    return number;
}

int main(void)
{
    struct pair pair = {0, 3};
    struct wide wide = {0, 4};
    struct real real = {5};
    four vector = {0, 0, 0, 6};
    assert(digits("iqi", 1, (__int128)2, 3) == 123);
    assert(digits("iwiriviplq", 1, wide, 2, real, 3, vector, 4, pair, 7.0L, (__int128)8) == 1425364378);
    assert(digits("qqqiqip", (__int128)1, (__int128)2, (__int128)3, 4, (__int128)5, 6, pair) == 1234563);
    return 0;
}
