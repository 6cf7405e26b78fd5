/* Formatted input from memory: d i u x c s %, with width and the usual lengths. */
#include <stdarg.h>

#include "rt.h"

static int space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static void keep(void *to, int longs, unsigned long long value) {
    switch (longs) {
    case 0: *(int *)to = (int)value; break;
    case 1: *(long *)to = (long)value; break;
    case -1: *(short *)to = (short)value; break;
    case -2: *(char *)to = (char)value; break;
    default: *(long long *)to = (long long)value;
    }
}

static int scan_number(const char **text, int base, unsigned long long *value) {
    const char *p = *text;
    int negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if ((base == 16 || base == 0) && *p == '0' && (p[1] == 'x' || p[1] == 'X')) p += 2, base = 16;
    if (base == 0) base = *p == '0' ? 8 : 10;
    if (digit(*p) >= base) return 0;
    for (*value = 0; digit(*p) < base; p++) *value = *value * base + digit(*p);
    if (negative) *value = 0 - *value;
    *text = p;
    return 1;
}

static int scan_word(const char **text, int width, char *to) {
    int n = 0;
    while ((*text)[n] && !space((*text)[n]) && (!width || n < width)) to[n] = (*text)[n], n++;
    to[n] = 0;
    *text += n;
    return n > 0;
}

int vsscanf(const char *text, const char *format, va_list arguments) {
    int found = 0;
    const char *start = text;
    for (; *format; format++) {
        if (space(*format)) {
            while (space(*text)) text++;
            continue;
        }
        if (*format != '%') {
            if (*text++ != *format) return found;
            continue;
        }
        format++;
        int width = 0, longs = 0, skip = 0;
        if (*format == '*') skip = 1, format++;
        for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
        for (; *format == 'l' || *format == 'h' || *format == 'z'; format++) longs += *format == 'h' ? -1 : 1;
        if (*format != 'c' && *format != 'n' && *format != '%')
            while (space(*text)) text++;
        if (!*text && *format != 'n') return found || text == start ? (found ? found : -1) : found;
        unsigned long long value;
        switch (*format) {
        case 'd': case 'u':
            if (!scan_number(&text, 10, &value)) return found;
            if (!skip) keep(va_arg(arguments, void *), longs, value), found++;
            break;
        case 'i': case 'x': case 'X':
            if (!scan_number(&text, *format == 'i' ? 0 : 16, &value)) return found;
            if (!skip) keep(va_arg(arguments, void *), longs, value), found++;
            break;
        case 's':
            if (skip) __tp_unsupported("this format of sscanf");
            if (!scan_word(&text, width, va_arg(arguments, char *))) return found;
            found++;
            break;
        case 'c':
            if (!skip) *va_arg(arguments, char *) = *text, found++;
            text++;
            break;
        case 'n': keep(va_arg(arguments, void *), longs, text - start); break;
        case '%':
            if (*text++ != '%') return found;
            break;
        default: __tp_unsupported("this format of sscanf");
        }
    }
    return found;
}

int sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int found = vsscanf(text, format, arguments);
    va_end(arguments);
    return found;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int found = vsscanf(text, format, arguments);
    va_end(arguments);
    return found;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int found = vsscanf(text, format, arguments);
    va_end(arguments);
    return found;
}
