/* The options among a program's arguments, in the order in which they stand:
 * arguments are not moved, and the first that is no option ends them. */
#include <getopt.h>

#include "rt.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The next character within an argument of several options. */
static char *rest;

size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);

static int wrong(const char *allowed, int option, int missing) {
    optopt = option;
    return missing && *allowed == ':' ? ':' : '?';
}

/* A letter; its value is what is left of the argument, or the next one. */
static int letter(int count, char *const *arguments, const char *allowed) {
    int option = (unsigned char)*rest++;
    const char *found = option == ':' ? 0 : strchr(allowed, option);
    int last = !*rest;
    if (last) optind++;
    if (!found) return wrong(allowed, option, 0);
    if (found[1] != ':') return option;
    optarg = last ? 0 : rest;
    if (!last) optind++;
    rest = 0;
    if (optarg || found[2] == ':') return option;
    if (optind >= count) return wrong(allowed, option, 1);
    optarg = arguments[optind++];
    return option;
}

int getopt(int count, char *const *arguments, const char *allowed) {
    optarg = 0;
    if (!optind) optind = 1, rest = 0;
    if (!rest || !*rest) {
        char *next = optind < count ? arguments[optind] : 0;
        if (!next || next[0] != '-' || !next[1]) return -1;
        if (next[1] == '-' && !next[2]) {
            optind++;
            return -1;
        }
        rest = next + 1;
    }
    return letter(count, arguments, allowed);
}

/* A long option: its name, perhaps with a value behind '='. Names are not
 * completed. */
static int long_option(int count, char *const *arguments, const char *allowed, const struct option *options,
                       int *index) {
    char *text = arguments[optind++] + 2, *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - text) : strlen(text);
    for (int i = 0; options[i].name; i++) {
        if (strlen(options[i].name) != length || strncmp(options[i].name, text, length)) continue;
        if (value && options[i].has_arg == no_argument) return wrong(allowed, options[i].val, 0);
        optarg = value ? value + 1 : 0;
        if (!value && options[i].has_arg == required_argument) {
            if (optind >= count) return wrong(allowed, options[i].val, 1);
            optarg = arguments[optind++];
        }
        if (index) *index = i;
        if (!options[i].flag) return options[i].val;
        *options[i].flag = options[i].val;
        return 0;
    }
    return wrong(allowed, 0, 0);
}

int getopt_long(int count, char *const *arguments, const char *allowed, const struct option *options,
                int *index) {
    if (!optind) optind = 1, rest = 0;
    char *next = optind < count && (!rest || !*rest) ? arguments[optind] : 0;
    if (next && next[0] == '-' && next[1] == '-' && next[2]) {
        optarg = 0;
        return long_option(count, arguments, allowed, options, index);
    }
    return getopt(count, arguments, allowed);
}
