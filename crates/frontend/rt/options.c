/* The options among a program's arguments, as glibc finds them: arguments that are
 * no options are passed over and moved behind the options, unless the list of
 * options begins with '+' (the first of them ends the options) or '-' (each is
 * returned as an option of its own). POSIXLY_CORRECT is taken not to be set. */
#include <getopt.h>

#include "rt.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The next character within an argument of several options. */
static char *rest;

/* Arguments from first to before last were passed over. */
static int first = 1, last = 1;

size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);

/* The letters, behind what says how other arguments are treated. */
static const char *letters(const char *allowed) { return allowed + (*allowed == '+' || *allowed == '-'); }

static int wrong(const char *allowed, int option, int missing) {
    optopt = option;
    return missing && *letters(allowed) == ':' ? ':' : '?';
}

/* A letter; its value is what is left of the argument, or the next one. */
static int letter(int count, char *const *arguments, const char *allowed) {
    int option = (unsigned char)*rest++;
    const char *found = option == ':' || option == ';' ? 0 : strchr(letters(allowed), option);
    int is_last = !*rest;
    if (is_last) optind++;
    if (!found) return wrong(allowed, option, 0);
    if (found[1] != ':') return option;
    optarg = is_last ? 0 : rest;
    if (!is_last) optind++;
    rest = 0;
    if (optarg || found[2] == ':') return option;
    if (optind >= count) return wrong(allowed, option, 1);
    optarg = arguments[optind++];
    return option;
}

/* Moves the options that follow arguments which were passed over in front of them. */
static void move_options(char **arguments) {
    for (int from = last, to = first; from < optind; from++, to++) {
        char *option = arguments[from];
        for (int at = from; at > to; at--) arguments[at] = arguments[at - 1];
        arguments[to] = option;
    }
    first += optind - last;
    last = optind;
}

/* Arguments that were passed over and stand directly before the options read last. */
static void gather(char **arguments) {
    if (first == last)
        first = last = optind;
    else if (last != optind)
        move_options(arguments);
}

static int is_operand(const char *argument) { return argument[0] != '-' || !argument[1]; }

/* Goes to the next argument that has options; whether there is one. */
static int go_on(int count, char **arguments, const char *allowed) {
    if (last > optind) last = optind;
    if (first > optind) first = optind;
    if (*allowed != '+' && *allowed != '-') {
        gather(arguments);
        while (optind < count && is_operand(arguments[optind])) optind++;
        last = optind;
    }
    if (optind < count && !strcmp(arguments[optind], "--")) {
        optind++;
        gather(arguments);
        last = optind = count;
    }
    if (optind < count) return 1;
    if (first != last) optind = first;
    return 0;
}

static int are_alike(const struct option *a, const struct option *b) {
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The option of this name, or the only one whose name begins like this; -1 if there is none. */
static int named(const struct option *options, const char *text, size_t length) {
    int found = -1, is_ambiguous = 0;
    for (int i = 0; options[i].name; i++) {
        if (strncmp(options[i].name, text, length)) continue;
        if (strlen(options[i].name) == length) return i;
        if (found < 0)
            found = i;
        else
            is_ambiguous |= !are_alike(&options[found], &options[i]);
    }
    return is_ambiguous ? -1 : found;
}

/* A long option, perhaps with a value behind '='. */
static int long_option(int count, char *const *arguments, const char *allowed, const struct option *options,
                       int *index) {
    char *text = arguments[optind++] + 2, *value = strchr(text, '=');
    int i = named(options, text, value ? (size_t)(value - text) : strlen(text));
    if (i < 0) return wrong(allowed, 0, 0);
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

int getopt_long(int count, char *const *arguments, const char *allowed, const struct option *options,
                int *index) {
    optarg = 0;
    if (!optind) optind = first = last = 1, rest = 0;
    if (rest && *rest) return letter(count, arguments, allowed);
    if (!go_on(count, (char **)arguments, allowed)) return -1;
    char *next = arguments[optind];
    if (is_operand(next)) {
        if (*allowed != '-') return -1;
        optarg = arguments[optind++];
        return 1;
    }
    if (options && next[1] == '-') return long_option(count, arguments, allowed, options, index);
    rest = next + 1;
    return letter(count, arguments, allowed);
}

int getopt(int count, char *const *arguments, const char *allowed) {
    return getopt_long(count, arguments, allowed, 0, 0);
}
