/* Formatted output: d i u x X o c s p n m %, with flags, width, precision and
 * the usual lengths. Into memory the text is written; to a stream nothing is,
 * but what would be printed is read. */
#include <stdarg.h>
#include <stdio.h>

#include "rt.h"

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);

struct out {
    char *to;
    size_t room;
    size_t length;
    /* Whether the text goes nowhere: numbers are not even made into text. */
    int quiet;
};

struct spec {
    int left, zero, plus, blank, alternative, width, precision, longs;
};

static void put(struct out *out, char c) {
    if (out->length + 1 < out->room) out->to[out->length] = c;
    out->length++;
}

static void pad(struct out *out, char c, int count) {
    for (; count > 0; count--) put(out, c);
}

static void put_bytes(struct out *out, const struct spec *spec, const char *text, int n) {
    if (!spec->left) pad(out, ' ', spec->width - n);
    for (int i = 0; i < n; i++) put(out, text[i]);
    if (spec->left) pad(out, ' ', spec->width - n);
}

static void put_text(struct out *out, const struct spec *spec, const char *text) {
    size_t most = spec->precision >= 0 ? (size_t)spec->precision : (size_t)-1;
    if (out->quiet)
        __tp_read_text(text, most);
    else
        put_bytes(out, spec, text, (int)strnlen(text, most));
}

static void put_number(struct out *out, const struct spec *spec, unsigned long long value, unsigned base,
                       const char *digits, const char *sign) {
    char text[24];
    int n = 0, signs = (int)strlen(sign);
    if (out->quiet) return;
    if (value || spec->precision) {
        do text[n++] = digits[value % base];
        while (value /= base);
    }
    int zeros = spec->precision > n ? spec->precision - n : 0;
    if (base == 8 && spec->alternative && !zeros && (!n || text[n - 1] != '0')) zeros = 1;
    if (spec->zero && !spec->left && spec->precision < 0 && spec->width > n + signs) zeros = spec->width - n - signs;
    int blanks = spec->width - n - signs - zeros;
    if (!spec->left) pad(out, ' ', blanks);
    while (*sign) put(out, *sign++);
    pad(out, '0', zeros);
    while (n) put(out, text[--n]);
    if (spec->left) pad(out, ' ', blanks);
}

static void put_signed(struct out *out, const struct spec *spec, long long value, const char *digits) {
    if (out->quiet) return;
    unsigned long long size = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    put_number(out, spec, size, 10, digits, value < 0 ? "-" : spec->plus ? "+" : spec->blank ? " " : "");
}

static void put_hexadecimal(struct out *out, const struct spec *spec, unsigned long long value,
                            const char *digits, const char *prefix) {
    if (out->quiet) return;
    put_number(out, spec, value, 16, digits, spec->alternative && value ? prefix : "");
}

static void put_pointer(struct out *out, const struct spec *spec, void *pointer, const char *digits) {
    if (out->quiet) return;
    if (pointer)
        put_number(out, spec, (uintptr_t)pointer, 16, digits, "0x");
    else
        put_bytes(out, spec, "(nil)", 5);
}

static int number(const char **format) {
    int value = 0;
    for (; **format >= '0' && **format <= '9'; (*format)++) value = value * 10 + (**format - '0');
    return value;
}

static long long take_signed(int longs, va_list *arguments) {
    if (longs >= 2) return va_arg(*arguments, long long);
    if (longs == 1) return va_arg(*arguments, long);
    int value = va_arg(*arguments, int);
    return longs == -1 ? (short)value : longs == -2 ? (signed char)value : value;
}

static unsigned long long take_unsigned(int longs, va_list *arguments) {
    if (longs >= 2) return va_arg(*arguments, unsigned long long);
    if (longs == 1) return va_arg(*arguments, unsigned long);
    unsigned value = va_arg(*arguments, unsigned);
    return longs == -1 ? (unsigned short)value : longs == -2 ? (unsigned char)value : value;
}

static int length_of(const char **format) {
    int longs = 0;
    for (;; (*format)++) {
        switch (**format) {
        case 'l': longs++; break;
        case 'h': longs--; break;
        case 'z': case 't': longs = 1; break;
        case 'j': case 'q': longs = 2; break;
        default: return longs;
        }
    }
}

/* How much was printed; of what goes nowhere that is not known. */
static void put_count(struct out *out, int longs, void *to) {
    long long count = (long long)out->length;
    if (out->quiet) __tp_unsupported("%n in a format that is not constant");
    switch (longs) {
    case 0: *(int *)to = (int)count; break;
    case 1: *(long *)to = (long)count; break;
    case -1: *(short *)to = (short)count; break;
    case -2: *(signed char *)to = (signed char)count; break;
    default: *(long long *)to = count;
    }
}

static void put_float(struct out *out, va_list *arguments) {
    (void)va_arg(*arguments, double);
    if (!out->quiet) __tp_unsupported("a floating-point number in sprintf");
}

static void convert(struct out *out, struct spec *spec, char kind, va_list *arguments) {
    static const char small[] = "0123456789abcdef", large[] = "0123456789ABCDEF";
    char one;
    switch (kind) {
    case 'd': case 'i': put_signed(out, spec, take_signed(spec->longs, arguments), small); break;
    case 'u': put_number(out, spec, take_unsigned(spec->longs, arguments), 10, small, ""); break;
    case 'o': put_number(out, spec, take_unsigned(spec->longs, arguments), 8, small, ""); break;
    case 'x': put_hexadecimal(out, spec, take_unsigned(spec->longs, arguments), small, "0x"); break;
    case 'X': put_hexadecimal(out, spec, take_unsigned(spec->longs, arguments), large, "0X"); break;
    case 'p': put_pointer(out, spec, va_arg(*arguments, void *), small); break;
    case 'c':
        one = (char)va_arg(*arguments, int);
        if (spec->longs) __tp_unsupported("wide characters in a format");
        if (!out->quiet) put_bytes(out, spec, &one, 1);
        break;
    case 's':
        if (spec->longs) __tp_unsupported("wide characters in a format");
        put_text(out, spec, va_arg(*arguments, const char *));
        break;
    case 'n': put_count(out, spec->longs, va_arg(*arguments, void *)); break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        put_float(out, arguments);
        break;
    case 'm':
        if (!out->quiet) __tp_unsupported("the text of an error in sprintf");
        break;
    case '%': put(out, '%'); break;
    default: __tp_unsupported("this format of printf");
    }
}

static void flags(const char **format, struct spec *spec) {
    for (;; (*format)++) {
        switch (**format) {
        case '-': spec->left = 1; break;
        case '0': spec->zero = 1; break;
        case '+': spec->plus = 1; break;
        case ' ': spec->blank = 1; break;
        case '#': spec->alternative = 1; break;
        default: return;
        }
    }
}

/* A width or precision, perhaps given as an argument. */
static int size(const char **format, va_list *arguments) {
    if (**format != '*') return number(format);
    (*format)++;
    return va_arg(*arguments, int);
}

static int format_to(struct out *out, const char *format, va_list *arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            put(out, *format);
            continue;
        }
        format++;
        struct spec spec = {.precision = -1};
        flags(&format, &spec);
        spec.width = size(&format, arguments);
        if (spec.width < 0) spec.left = 1, spec.width = -spec.width;
        if (*format == '.') {
            format++;
            spec.precision = size(&format, arguments);
        }
        spec.longs = length_of(&format);
        convert(out, &spec, *format, arguments);
    }
    if (out->room) out->to[out->length < out->room ? out->length : out->room - 1] = 0;
    return (int)out->length;
}

int vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
    struct out out = {to, room, 0, 0};
    va_list own;
    va_copy(own, arguments);
    int length = format_to(&out, format, &own);
    va_end(own);
    return length;
}

/* Prints: the result is how much was printed, or -1. */
static int print(const char *format, va_list arguments) {
    struct out out = {0, 0, 0, 1};
    va_list own;
    va_copy(own, arguments);
    format_to(&out, format, &own);
    va_end(own);
    int length = __tp_nondet_int();
    tp_assume(length >= -1);
    return length;
}

#define NO_LIMIT ((size_t)1 << 30)

int vsprintf(char *to, const char *format, va_list arguments) {
    return vsnprintf(to, NO_LIMIT, format, arguments);
}

int vprintf(const char *format, va_list arguments) { return print(format, arguments); }
int vdprintf(int descriptor, const char *format, va_list arguments) { return print(format, arguments); }
void vsyslog(int priority, const char *format, va_list arguments) { print(format, arguments); }

int vfprintf(FILE *stream, const char *format, va_list arguments) {
    __tp_use_stream(stream);
    return print(format, arguments);
}

/* The same with a list of arguments of its own. */
#define VARIADIC(result, name, parameters, call)                                                           \
    result name parameters {                                                                               \
        va_list arguments;                                                                                 \
        va_start(arguments, format);                                                                       \
        int length = call;                                                                                 \
        va_end(arguments);                                                                                 \
        return (result)length;                                                                             \
    }

VARIADIC(int, printf, (const char *format, ...), print(format, arguments))
VARIADIC(int, dprintf, (int descriptor, const char *format, ...), print(format, arguments))
VARIADIC(int, fprintf, (FILE *stream, const char *format, ...), vfprintf(stream, format, arguments))
VARIADIC(void, syslog, (int priority, const char *format, ...), print(format, arguments))
VARIADIC(int, sprintf, (char *to, const char *format, ...), vsnprintf(to, NO_LIMIT, format, arguments))
VARIADIC(int, snprintf, (char *to, size_t room, const char *format, ...),
         vsnprintf(to, room, format, arguments))

VARIADIC(int, __printf_chk, (int flag, const char *format, ...), print(format, arguments))
VARIADIC(int, __fprintf_chk, (FILE *stream, int flag, const char *format, ...),
         vfprintf(stream, format, arguments))
VARIADIC(int, __sprintf_chk, (char *to, int flag, size_t size, const char *format, ...),
         vsnprintf(to, NO_LIMIT, format, arguments))
VARIADIC(int, __snprintf_chk, (char *to, size_t room, int flag, size_t size, const char *format, ...),
         vsnprintf(to, room, format, arguments))

int __vprintf_chk(int flag, const char *format, va_list arguments) { return print(format, arguments); }
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
    return vfprintf(stream, format, arguments);
}
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list arguments) {
    return vsnprintf(to, NO_LIMIT, format, arguments);
}
int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list arguments) {
    return vsnprintf(to, room, format, arguments);
}

/* Warnings may have no format. */
static void warn_by(const char *format, va_list arguments) {
    if (format) print(format, arguments);
}

void vwarn(const char *format, va_list arguments) { warn_by(format, arguments); }
void vwarnx(const char *format, va_list arguments) { warn_by(format, arguments); }

#define WARNING(name)                                                                                      \
    void name(const char *format, ...) {                                                                   \
        va_list arguments;                                                                                 \
        va_start(arguments, format);                                                                       \
        warn_by(format, arguments);                                                                        \
        va_end(arguments);                                                                                 \
    }

WARNING(warn)
WARNING(warnx)

/* The text is allocated. */
int vasprintf(char **to, const char *format, va_list arguments) {
    int length = vsnprintf(0, 0, format, arguments);
    *to = __tp_malloc((size_t)length + 1);
    return *to ? vsnprintf(*to, (size_t)length + 1, format, arguments) : -1;
}

VARIADIC(int, asprintf, (char **to, const char *format, ...), vasprintf(to, format, arguments))
