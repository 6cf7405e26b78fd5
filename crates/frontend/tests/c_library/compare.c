/* Calls functions of the run-time library (whose names begin with `our_`) and
 * those of the C library with the same random arguments, and prints the calls
 * that differ. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROUNDS 40000
#define MOST_TOLD 20

/* What the run-time library asks of the front end. What it does not support is
 * not compared, and of two possibilities the first is glibc's. */
static jmp_buf unsupported;
void our___tp_unsupported(const char *what) { longjmp(unsupported, 1); }
_Bool our___tp_nondet_bool(void) { return 1; }
int *our___errno_location(void) { return &errno; }
void *our___tp_malloc(size_t size) { return malloc(size); }
void *our_memcpy(void *to, const void *from, size_t length) { return memcpy(to, from, length); }
void our_tp_assume(int condition) {}
double our_trunc(double x) { return trunc(x); }
double our_rint(double x) { return rint(x); }
double our_round(double x) { return round(x); }
double our_copysign(double x, double y) { return copysign(x, y); }
float our_copysignf(float x, float y) { return copysignf(x, y); }
void our___tp_use_stream(const void *stream) {}
/* Only streams and texts that are printed need these. */
char our___tp_any_char(void) { abort(); }
void our___tp_fill(void *to, size_t size) { abort(); }
void our___tp_read_text(const char *text, size_t most) { abort(); }
int our___tp_nondet_int(void) { abort(); }
long our___tp_nondet_long(void) { abort(); }
long long our___tp_nondet_longlong(void) { abort(); }

/* The alphabets that texts are made of. */
static const char *const alphabets[] = {"0123456789", "abcXYZ ", "0x1fF-+ ", " \t,;=",  "-+0.9eE",
                                        "a-]^z[-",    "%dn1 ",   "0xX 7b",   "\x80\xff\x01" "a"};
#define ANY(list) list[rand() % (sizeof list / sizeof *list)]

static void any_text(char *text, int most) {
    const char *alphabet = ANY(alphabets);
    int length = rand() % most, letters = (int)strlen(alphabet);
    for (int i = 0; i < length; i++) text[i] = alphabet[rand() % letters];
    text[length] = 0;
}

static int told;
#define SAME(condition, ...)                                                                               \
    if (!(condition) && told++ < MOST_TOLD) printf(__VA_ARGS__)

int our_sscanf(const char *text, const char *format, ...);
static void compare_scanning(const char *text) {
    static const char *const conversions[] = {
        "%d", "%i", "%o", "%u", "%x", "%3d", "%2x", "%1i", "%5i", "%hhd", "%hd", "%ld", "%s", "%3s", "%[a-z]",
        "%[^,;=]", "%[]a-c]", "%[^]x]", "%[a-]", "%[-a]", "%[0-9a-f]", "%2[abc]", "%c", "%3c", "%*d", "%*s",
        "%*c", "%n", "%%", " ", ",", "x", "%lld", "%hho", "%X", "%*3[a-z]", "%*2c", "%4u", "%lf", "%f", "%lg"};
    char format[64] = "";
    for (int i = rand() % 3; i >= 0; i--) strcat(format, ANY(conversions));
    long theirs[3][6], ours[3][6];
    memset(theirs, 5, sizeof theirs);
    memset(ours, 5, sizeof ours);
    int found = sscanf(text, format, theirs[0], theirs[1], theirs[2]);
    if (setjmp(unsupported)) return;
    int result = our_sscanf(text, format, ours[0], ours[1], ours[2]);
    /* What a conversion leaves behind that fails is not compared. */
    int same = found == result && (found <= 0 || !memcmp(theirs, ours, (size_t)found * sizeof *ours));
    SAME(same, "sscanf(\"%s\", \"%s\") is %d, ours %d\n", text, format, found, result);
}

long our_strtol(const char *text, char **end, int base);
unsigned long our_strtoul(const char *text, char **end, int base);
double our_strtod(const char *text, char **end);
static void compare_numbers(const char *random) {
    static const char *const limits[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                         "-9223372036854775809", "18446744073709551615",
                                         "18446744073709551616", "-18446744073709551615", "0x", "0xg"};
    static const int bases[] = {0, 2, 3, 8, 10, 16, 36};
    const char *text = rand() % 8 ? random : ANY(limits);
    char *end, *own_end;
    int base = ANY(bases);
#define CONVERT(type, function)                                                                            \
    {                                                                                                      \
        errno = 0;                                                                                         \
        type theirs = function(text, &end, base);                                                          \
        int error = errno;                                                                                 \
        errno = 0;                                                                                         \
        type ours = our_##function(text, &own_end, base);                                                  \
        SAME(theirs == ours && error == errno && end == own_end, #function "(\"%s\", %d)\n", text, base);  \
    }
    CONVERT(long, strtol)
    CONVERT(unsigned long, strtoul)
    double theirs = strtod(text, &end);
    if (setjmp(unsupported)) return;
    double ours = our_strtod(text, &own_end);
    SAME(!memcmp(&theirs, &ours, sizeof ours) && end == own_end, "strtod(\"%s\")\n", text);
}

int our_snprintf(char *to, size_t room, const char *format, ...);
static void compare_printing(const char *text) {
    static const char *const lengths[] = {"", "h", "hh", "l", "ll", "z", "j", "t"};
    char format[40] = "%", theirs[100], ours[100];
    size_t room = rand() % 4 ? sizeof ours : (size_t)(rand() % 8);
    long value = rand() % 3 ? rand() % 300 - 150 : (long)((unsigned long)rand() * 0x9e3779b97f4a7c15);
    int is_number = rand() % 4, length, own_length;
    for (int i = rand() % 4; i > 0; i--) strncat(format, &(is_number ? "-0+ #" : "-----")[rand() % 5], 1);
    if (rand() % 2) sprintf(format + strlen(format), "%d", 1 + rand() % 15);
    if (rand() % 2) sprintf(format + strlen(format), ".%d", rand() % 12);
    if (is_number) strcat(format, ANY(lengths));
    strncat(format, &(is_number ? "diuxXo" : "ssssss")[rand() % 6], 1);
    memset(theirs, 3, sizeof theirs);
    memset(ours, 3, sizeof ours);
    if (setjmp(unsupported)) return;
    if (is_number) {
        length = snprintf(theirs, room, format, value);
        own_length = our_snprintf(ours, room, format, value);
    } else {
        length = snprintf(theirs, room, format, text);
        own_length = our_snprintf(ours, room, format, text);
    }
    SAME(length == own_length && !memcmp(theirs, ours, sizeof ours), "snprintf \"%s\" of %ld, \"%s\"\n", format,
         value, text);
}

char *our_strstr(const char *, const char *), *our_strpbrk(const char *, const char *);
char *our_strchr(const char *, int), *our_strrchr(const char *, int), *our_strchrnul(const char *, int);
size_t our_strspn(const char *, const char *), our_strcspn(const char *, const char *);
int our_strcmp(const char *, const char *), our_strcasecmp(const char *, const char *);
int our_strncmp(const char *, const char *, size_t), our_strncasecmp(const char *, const char *, size_t);
char *our_strncpy(char *, const char *, size_t), *our_strncat(char *, const char *, size_t);
char *our_strtok_r(char *, const char *, char **), *our_strsep(char **, const char *);

static int sign(int n) { return (n > 0) - (n < 0); }

static void compare_texts(const char *a, const char *b) {
    size_t n = (size_t)(rand() % 8);
    int c = rand() % 4 ? a[(size_t)rand() % (strlen(a) + 1)] : rand() % 300 - 20;
#define TEXTS(function, ...) SAME(function(__VA_ARGS__) == our_##function(__VA_ARGS__), #function "(\"%s\", \"%s\", %d)\n", a, b, c)
#define ORDER(function, ...)                                                                               \
    SAME(sign(function(__VA_ARGS__)) == sign(our_##function(__VA_ARGS__)), #function "(\"%s\", \"%s\", %zu)\n", a, b, n)
    TEXTS(strstr, a, b);
    TEXTS(strpbrk, a, b);
    TEXTS(strspn, a, b);
    TEXTS(strcspn, a, b);
    TEXTS(strchr, a, c);
    TEXTS(strrchr, a, c);
    TEXTS(strchrnul, a, c);
    ORDER(strcmp, a, b);
    ORDER(strcasecmp, a, b);
    ORDER(strncmp, a, b, n);
    ORDER(strncasecmp, a, b, n);
    char theirs[40] = "", ours[40] = "", *rest, *own_rest;
    strcpy(theirs, b);
    strcpy(ours, b);
    strncat(theirs, a, n);
    our_strncat(ours, a, n);
    SAME(!strcmp(theirs, ours), "strncat(\"%s\", \"%s\", %zu)\n", b, a, n);
    strncpy(theirs, a, n);
    our_strncpy(ours, a, n);
    SAME(!memcmp(theirs, ours, n), "strncpy(\"%s\", %zu)\n", a, n);
    strcpy(theirs, a);
    strcpy(ours, a);
    char *word = strtok_r(theirs, b, &rest), *own = our_strtok_r(ours, b, &own_rest);
    for (; word && own && !strcmp(word, own); own = our_strtok_r(0, b, &own_rest)) word = strtok_r(0, b, &rest);
    SAME(!word && !own, "strtok_r(\"%s\", \"%s\")\n", a, b);
}

extern char *our_optarg;
extern int our_optind, our_optopt;
int our_getopt_long(int, char *const *, const char *, const struct option *, int *);

static void compare_options(void) {
    static const char *const arguments[] = {
        "-a",   "-b",     "-bval", "-c",   "val",  "-abc", "--",    "-x",      "-",      "file",   "-ab",
        "-a-",  "--size", "--siz", "--si", "--al", "--all", "--opt", "--opt=4", "--flag", "--nope", "--all=3",
        "-;",   "-:",     "-+",    "--s",  "--o",  "--size=3"};
    static const char *const letters[] = {"ab:c", "+ab:c:", "-ab:", "ab::c", ":ab:c:", "+:ab:c", "-:b:", ""};
    static int flag, own_flag;
    struct option theirs[] = {{"size", 1, 0, 's'}, {"silent", 0, 0, 'q'}, {"all", 0, 0, 'a'}, {"alt", 0, 0, 'a'},
                              {"opt", 2, 0, 'o'},  {"flag", 0, &flag, 5}, {"siz", 1, 0, 'z'}, {0}},
                  ours[8];
    memcpy(ours, theirs, sizeof ours);
    ours[5].flag = &own_flag;
    char *list[8] = {"program"}, *own_list[8];
    int count = 2 + rand() % 6, has_long = rand() % 2, one, other;
    for (int i = 1; i < count; i++) list[i] = (char *)ANY(arguments);
    memcpy(own_list, list, sizeof list);
    const char *allowed = ANY(letters);
    optind = our_optind = 0;
    do {
        int index = -1, own_index = -1, is_wrong;
        one = getopt_long(count, list, allowed, has_long ? theirs : theirs + 7, &index);
        other = our_getopt_long(count, own_list, allowed, has_long ? ours : ours + 7, &own_index);
        is_wrong = one == '?' || one == ':';
        int same = one == other && optind == our_optind && flag == own_flag && !memcmp(list, own_list, sizeof list) &&
                   (one == -1 || optarg == our_optarg) && (is_wrong ? optopt == our_optopt : index == own_index);
        SAME(same, "getopt_long(\"%s\"), argument %d, \"%s\", is %d, ours %d\n", allowed, optind, list[1], one, other);
        if (!same) return;
    } while (one != -1);
}

int our_isalpha(int), our_isdigit(int), our_isalnum(int), our_isspace(int), our_ispunct(int), our_isupper(int);
int our_islower(int), our_isxdigit(int), our_iscntrl(int), our_isprint(int), our_isgraph(int), our_isblank(int);
int our_toupper(int), our_tolower(int);

double our_frexp(double, int *), our_ldexp(double, int), our_modf(double, double *), our_logb(double);
double our_nextafter(double, double), our_fdim(double, double);
float our_frexpf(float, int *), our_ldexpf(float, int), our_modff(float, float *), our_logbf(float);
float our_nextafterf(float, float), our_fdimf(float, float);
int our_ilogb(double), our_ilogbf(float);
long our_lrint(double), our_lrintf(float), our_lround(double), our_lroundf(float);

/* Any bits, and often a number near those where something changes. */
static double any_number(void) {
    static const double special[] = {0, -0.0, 1, -1, 0.5, 2.5, 3.5, -2.5, 1e300, 5e-324, 1e-310, 0x1p63, -0x1p63,
                                     0x1p-126, 0x1p-149, 0x1.fffffep127, INFINITY, -INFINITY, NAN, 0x1.8p-1074};
    unsigned long bits = (unsigned long)rand() << 40 ^ (unsigned long)rand() << 20 ^ (unsigned long)rand();
    double number;
    memcpy(&number, &bits, sizeof number);
    return rand() % 3 ? rand() % 2 ? number : (rand() % 4000 - 2000) / 8.0 : ANY(special);
}

static int same_number(double a, double b) { return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b); }

/* The same result and the same error. */
#define NUMBER(function, x, ...)                                                                           \
    {                                                                                                      \
        errno = 0;                                                                                         \
        double theirs = (double)function(__VA_ARGS__);                                                     \
        int error = errno;                                                                                 \
        errno = 0;                                                                                         \
        double ours = (double)our_##function(__VA_ARGS__);                                                 \
        SAME(same_number(theirs, ours) && error == errno, #function " of %a is %a (error %d), ours %a\n", \
             (double)(x), theirs, error, ours);                                                            \
    }

static void compare_mathematics(void) {
    double x = any_number(), y = any_number(), whole, own_whole;
    float f = (float)x, g = (float)y, whole_f, own_whole_f;
    int n = rand() % 3 ? rand() % 60 - 30 : rand() % 5000 - 2500, power, own_power;
    NUMBER(ldexp, x, x, n) NUMBER(ldexpf, f, f, n) NUMBER(ilogb, x, x) NUMBER(ilogbf, f, f)
    NUMBER(logb, x, x) NUMBER(logbf, f, f) NUMBER(nextafter, x, x, y) NUMBER(nextafterf, f, f, g)
    SAME(same_number(fdim(x, y), our_fdim(x, y)) && same_number(fdimf(f, g), our_fdimf(f, g)), "fdim\n");
    SAME(lrint(x) == our_lrint(x) && lround(x) == our_lround(x), "lrint or lround of %a\n", x);
    SAME(lrintf(f) == our_lrintf(f) && lroundf(f) == our_lroundf(f), "lrintf or lroundf of %a\n", f);
    SAME(same_number(frexp(x, &power), our_frexp(x, &own_power)) && power == own_power, "frexp of %a\n", x);
    SAME(same_number(frexpf(f, &power), our_frexpf(f, &own_power)) && power == own_power, "frexpf of %a\n", f);
    SAME(same_number(modf(x, &whole), our_modf(x, &own_whole)) && same_number(whole, own_whole), "modf of %a\n", x);
    SAME(same_number(modff(f, &whole_f), our_modff(f, &own_whole_f)) && same_number(whole_f, own_whole_f),
         "modff of %a\n", f);
}

static void compare_characters(void) {
    for (int c = -1; c < 256; c++) {
#define KIND(function) SAME(!(function)(c) == !our_##function(c), #function "(%d)\n", c)
        KIND(isalpha); KIND(isdigit); KIND(isalnum); KIND(isspace); KIND(ispunct); KIND(isupper);
        KIND(islower); KIND(isxdigit); KIND(iscntrl); KIND(isprint); KIND(isgraph); KIND(isblank);
        SAME((toupper)(c) == our_toupper(c) && (tolower)(c) == our_tolower(c), "case of %d\n", c);
    }
}

int main(void) {
    opterr = 0;
    compare_characters();
    for (int round = 0; round < ROUNDS; round++) {
        char a[16], b[8];
        any_text(a, 12);
        any_text(b, 6);
        compare_scanning(a);
        compare_numbers(a);
        compare_printing(a);
        compare_texts(a, b);
        compare_options();
        compare_mathematics();
    }
    return 0;
}
