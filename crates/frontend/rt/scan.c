/* Formatted input: d i u x X o c s [ n f %, with width and the usual lengths;
 * from a text, or from a stream, of which everything can come. */
#include <stdarg.h>

#include "rt.h"

typedef struct _IO_FILE FILE;

double strtod(const char *s, char **end);

struct spec {
    int skip, width, longs;
    char kind;
    /* The characters of a set, and whether it is those that are not in it. */
    const char *set;
    int set_length, others;
};

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

static void keep_float(void *to, int longs, double value) {
    if (longs == 0)
        *(float *)to = (float)value;
    else
        *(double *)to = value;
}

/* The set after '[': its characters up to ']', which is one of them if it is the first. */
static const char *read_set(const char *format, struct spec *spec) {
    spec->others = format[1] == '^';
    spec->set = format + 1 + spec->others;
    int n = *spec->set == ']';
    for (; spec->set[n] != ']'; n++)
        if (!spec->set[n]) __tp_unsupported("a set without an end in a format");
    spec->set_length = n;
    return spec->set + n;
}

static int in_set(const struct spec *spec, char c) {
    for (int i = 0; i < spec->set_length; i++) {
        if (i > 0 && i + 1 < spec->set_length && spec->set[i] == '-') {
            if (c >= spec->set[i - 1] && c <= spec->set[i + 1]) return !spec->others;
        } else if (spec->set[i] == c) {
            return !spec->others;
        }
    }
    return spec->others;
}

/* A conversion, from behind its percent sign to its last character. */
static const char *read_spec(const char *format, struct spec *spec) {
    *spec = (struct spec){0};
    if (*format == '*') spec->skip = 1, format++;
    for (; *format >= '0' && *format <= '9'; format++) spec->width = spec->width * 10 + (*format - '0');
    for (;; format++) {
        if (*format == 'l' || *format == 'z' || *format == 't')
            spec->longs++;
        else if (*format == 'h')
            spec->longs--;
        else if (*format == 'j' || *format == 'q')
            spec->longs = 2;
        else
            break;
    }
    spec->kind = *format;
    return *format == '[' ? read_set(format, spec) : format;
}

static int base_of(char kind) {
    switch (kind) {
    case 'd': case 'u': return 10;
    case 'o': return 8;
    case 'x': case 'X': case 'p': return 16;
    default: return 0;
    }
}

/* A number in at most so many characters; 0 is no limit. Glibc takes a prefix without
 * digits for a zero, others do not. */
static int scan_number(const char **text, int width, int base, unsigned long long *value) {
    const char *p = *text, *end = width ? p + width : 0;
    int negative = *p == '-', has_prefix;
    if (*p == '-' || *p == '+') p++;
    has_prefix = (base == 16 || base == 0) && p != end && *p == '0' && p + 1 != end && (p[1] == 'x' || p[1] == 'X');
    if (has_prefix) p += 2, base = 16;
    if (base == 0) base = *p == '0' ? 8 : 10;
    if ((p == end || digit(*p) >= base) && !(has_prefix && __tp_nondet_bool())) return 0;
    for (*value = 0; p != end && digit(*p) < base; p++) *value = *value * base + digit(*p);
    if (negative) *value = 0 - *value;
    *text = p;
    return 1;
}

static int belongs(const struct spec *spec, char c) {
    return c && (spec->kind == '[' ? in_set(spec, c) : !space(c));
}

static int scan_word(const char **text, const struct spec *spec, char *to) {
    int n = 0;
    for (; belongs(spec, (*text)[n]) && (!spec->width || n < spec->width); n++)
        if (to) to[n] = (*text)[n];
    if (to && n) to[n] = 0;
    *text += n;
    return n > 0;
}

/* Where the text ends before the width, glibc makes do with what there is, others do not. */
static int scan_characters(const char **text, const struct spec *spec, char *to) {
    int n = 0, count = spec->width ? spec->width : 1;
    for (; n < count && (*text)[n]; n++)
        if (to) to[n] = (*text)[n];
    *text += n;
    return n == count || __tp_nondet_bool();
}

static int scan_float(const char **text, const struct spec *spec, double *value) {
    char *end;
    if (spec->width) __tp_unsupported("the width of a floating-point number in a format");
    *value = strtod(*text, &end);
    int any = end != *text;
    /* Glibc passes over it, others do not match. */
    if (any && (*end == 'e' || *end == 'E')) __tp_unsupported("an exponent without digits in a text");
    *text = end;
    return any;
}

/* One conversion; whether it found what it looks for. */
static int scan_one(const char **text, const struct spec *spec, va_list *arguments) {
    void *to = spec->skip ? 0 : va_arg(*arguments, void *);
    unsigned long long value;
    double number;
    switch (spec->kind) {
    case 'd': case 'u': case 'i': case 'o': case 'x': case 'X': case 'p':
        if (!scan_number(text, spec->width, base_of(spec->kind), &value)) return 0;
        if (to) keep(to, spec->kind == 'p' ? 1 : spec->longs, value);
        return 1;
    case 'f': case 'e': case 'g': case 'E': case 'G':
        if (!scan_float(text, spec, &number)) return 0;
        if (to) keep_float(to, spec->longs, number);
        return 1;
    case 's': case '[': return scan_word(text, spec, to);
    case 'c': return scan_characters(text, spec, to);
    default: __tp_unsupported("this format of scanf");
    }
}

static int scan_text(const char *text, const char *format, va_list list) {
    int found = 0;
    const char *start = text;
    struct spec spec;
    va_list arguments;
    va_copy(arguments, list);
    for (; *format; format++) {
        if (space(*format)) {
            while (space(*text)) text++;
            continue;
        }
        if (*format != '%') {
            if (*text != *format) return *text || found ? found : -1;
            text++;
            continue;
        }
        format = read_spec(format + 1, &spec);
        if (spec.kind == 'n') {
            keep(va_arg(arguments, void *), spec.longs, text - start);
            continue;
        }
        if (spec.kind != 'c' && spec.kind != '[')
            while (space(*text)) text++;
        if (spec.kind == '%') {
            if (*text != '%') return *text || found ? found : -1;
            text++;
            continue;
        }
        if (!*text) return found ? found : -1;
        if (!scan_one(&text, &spec, &arguments)) return found;
        found += !spec.skip;
    }
    return found;
}

/* Some characters of a word: as many as fit the width, or any number. */
static void any_word(const struct spec *spec, char *to) {
    int n = 0;
    do {
        char c = __tp_any_char();
        tp_assume(belongs(spec, c));
        to[n++] = c;
    } while ((!spec->width || n < spec->width) && __tp_nondet_bool());
    to[n] = 0;
}

static void any_one(const struct spec *spec, void *to) {
    switch (spec->kind) {
    case 'd': case 'u': case 'i': case 'o': case 'x': case 'X':
        keep(to, spec->longs, (unsigned long long)__tp_nondet_longlong());
        break;
    case 'p': keep(to, 1, (unsigned long long)__tp_nondet_long()); break;
    case 'f': case 'e': case 'g': case 'E': case 'G': __tp_fill(to, spec->longs ? 8 : 4); break;
    case 's': case '[': any_word(spec, to); break;
    case 'c': __tp_fill(to, spec->width ? spec->width : 1); break;
    default: __tp_unsupported("this format of scanf");
    }
}

/* The input may end, or not fit, before each conversion. */
static int scan_stream(const char *format, va_list list) {
    int found = 0;
    struct spec spec;
    va_list arguments;
    va_copy(arguments, list);
    for (; *format; format++) {
        if (*format != '%') continue;
        format = read_spec(format + 1, &spec);
        if (spec.kind == '%') continue;
        if (spec.kind == 'n') {
            int read = __tp_nondet_int();
            tp_assume(read >= 0);
            keep(va_arg(arguments, void *), spec.longs, read);
            continue;
        }
        if (__tp_nondet_bool()) return found == 0 && __tp_nondet_bool() ? -1 : found;
        if (spec.skip) continue;
        any_one(&spec, va_arg(arguments, void *));
        found++;
    }
    return found;
}

/* With a list of arguments of its own, under the names of newer headers as well. */
#define VARIADIC(name, parameters, call)                                                                   \
    int name parameters {                                                                                  \
        va_list arguments;                                                                                 \
        va_start(arguments, format);                                                                       \
        int found = call;                                                                                  \
        va_end(arguments);                                                                                 \
        return found;                                                                                      \
    }
#define SCANNERS(prefix)                                                                                   \
    VARIADIC(prefix##sscanf, (const char *text, const char *format, ...), scan_text(text, format, arguments)) \
    VARIADIC(prefix##fscanf, (FILE * stream, const char *format, ...), (__tp_use_stream(stream), scan_stream(format, arguments))) \
    VARIADIC(prefix##scanf, (const char *format, ...), scan_stream(format, arguments))                     \
    int prefix##vsscanf(const char *text, const char *format, va_list arguments) {                         \
        return scan_text(text, format, arguments);                                                         \
    }                                                                                                      \
    int prefix##vscanf(const char *format, va_list arguments) { return scan_stream(format, arguments); }   \
    int prefix##vfscanf(FILE *stream, const char *format, va_list arguments) {                             \
        __tp_use_stream(stream);                                                                           \
        return scan_stream(format, arguments);                                                             \
    }

SCANNERS()
SCANNERS(__isoc99_)
SCANNERS(__isoc23_)
