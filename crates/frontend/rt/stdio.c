/* Formatted output into memory: d i u x X o c s p %, with flags, width,
 * precision and the usual lengths. */
#include <stdarg.h>

#include "rt.h"

size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);

struct out {
    char *to;
    size_t room;
    size_t length;
};

struct spec {
    int left, zero, plus, width, precision, longs;
};

static void put(struct out *out, char c) {
    if (out->length + 1 < out->room) out->to[out->length] = c;
    out->length++;
}

static void pad(struct out *out, char c, int count) {
    for (; count > 0; count--) put(out, c);
}

static void put_text(struct out *out, const struct spec *spec, const char *text) {
    int n = spec->precision >= 0 ? (int)strnlen(text, spec->precision) : (int)strlen(text);
    if (!spec->left) pad(out, ' ', spec->width - n);
    for (int i = 0; i < n; i++) put(out, text[i]);
    if (spec->left) pad(out, ' ', spec->width - n);
}

static void put_number(struct out *out, const struct spec *spec, unsigned long long value, unsigned base,
                       const char *digits, const char *sign) {
    char text[24];
    int n = 0, signs = (int)strlen(sign);
    do text[n++] = digits[value % base];
    while (value /= base);
    int zeros = spec->precision > n ? spec->precision - n : 0;
    if (spec->zero && !spec->left && spec->precision < 0 && spec->width > n + signs) zeros = spec->width - n - signs;
    int blanks = spec->width - n - signs - zeros;
    if (!spec->left) pad(out, ' ', blanks);
    while (*sign) put(out, *sign++);
    pad(out, '0', zeros);
    while (n) put(out, text[--n]);
    if (spec->left) pad(out, ' ', blanks);
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
        case 'j': longs = 2; break;
        default: return longs;
        }
    }
}

static void convert(struct out *out, struct spec *spec, char kind, va_list *arguments) {
    static const char small[] = "0123456789abcdef", large[] = "0123456789ABCDEF";
    char one[2] = {0, 0};
    switch (kind) {
    case 'd': case 'i': {
        long long value = take_signed(spec->longs, arguments);
        unsigned long long size = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
        put_number(out, spec, size, 10, small, value < 0 ? "-" : spec->plus ? "+" : "");
        break;
    }
    case 'u': put_number(out, spec, take_unsigned(spec->longs, arguments), 10, small, ""); break;
    case 'o': put_number(out, spec, take_unsigned(spec->longs, arguments), 8, small, ""); break;
    case 'x': put_number(out, spec, take_unsigned(spec->longs, arguments), 16, small, ""); break;
    case 'X': put_number(out, spec, take_unsigned(spec->longs, arguments), 16, large, ""); break;
    case 'p': put_number(out, spec, (uintptr_t)va_arg(*arguments, void *), 16, small, "0x"); break;
    case 'c':
        one[0] = (char)va_arg(*arguments, int);
        put_text(out, spec, one);
        break;
    case 's': put_text(out, spec, va_arg(*arguments, const char *)); break;
    case '%': put(out, '%'); break;
    default: __tp_unsupported("this format of sprintf");
    }
}

static void flags(const char **format, struct spec *spec) {
    for (;; (*format)++) {
        switch (**format) {
        case '-': spec->left = 1; break;
        case '0': spec->zero = 1; break;
        case '+': spec->plus = 1; break;
        case ' ': case '#': break;
        default: return;
        }
    }
}

static int format_to(struct out *out, const char *format, va_list *arguments) {
    for (; *format; format++) {
        if (*format != '%') {
            put(out, *format);
            continue;
        }
        format++;
        struct spec spec = {0, 0, 0, 0, -1, 0};
        flags(&format, &spec);
        if (*format == '*') {
            spec.width = va_arg(*arguments, int);
            format++;
        } else {
            spec.width = number(&format);
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                spec.precision = va_arg(*arguments, int);
                format++;
            } else {
                spec.precision = number(&format);
            }
        }
        spec.longs = length_of(&format);
        convert(out, &spec, *format, arguments);
    }
    if (out->room) out->to[out->length < out->room ? out->length : out->room - 1] = 0;
    return (int)out->length;
}

int vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
    struct out out = {to, room, 0};
    va_list own;
    va_copy(own, arguments);
    int length = format_to(&out, format, &own);
    va_end(own);
    return length;
}

int vsprintf(char *to, const char *format, va_list arguments) {
    return vsnprintf(to, (size_t)1 << 30, format, arguments);
}

int snprintf(char *to, size_t room, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length;
}

int sprintf(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, (size_t)1 << 30, format, arguments);
    va_end(arguments);
    return length;
}

int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to, (size_t)1 << 30, format, arguments);
    va_end(arguments);
    return length;
}
