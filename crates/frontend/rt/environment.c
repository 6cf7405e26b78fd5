/* What the process is given: arguments, environment variables, the machine. */
#include <errno.h>
#include <unistd.h>

#include "rt.h"

int strcmp(const char *a, const char *b);
size_t strlen(const char *s);

/* The arguments of main, in a table and in places that are large enough for
 * the most there can be. The table's end is used, so that reading beyond the
 * arguments is reading beyond the table. */
char **__tp_arguments(int count, char **table, char *name, char **places, int most, int length) {
    char **argv = table + (most + 1 - count);
    argv[0] = name;
    for (int i = 1; i < count; i++) argv[i] = __tp_any_text(places[i - 1], length);
    argv[count] = 0;
    return argv;
}

/* Environment variables: each is unset, or a text of at most TEXT characters,
 * and the same whenever it is asked for. */
#define VARIABLES 8
#define NAME 32
#define TEXT 3

static struct variable {
    char name[NAME];
    char *value;
    char place[TEXT + 1];
} variables[VARIABLES];
static int variable_count;

static struct variable *variable(const char *name) {
    for (int i = 0; i < variable_count; i++)
        if (!strcmp(variables[i].name, name)) return &variables[i];
    return 0;
}

static struct variable *new_variable(const char *name) {
    if (variable_count == VARIABLES) __tp_unsupported("more than 8 environment variables");
    if (strlen(name) >= NAME) __tp_unsupported("an environment variable with a long name");
    struct variable *fresh = &variables[variable_count++];
    for (int i = 0; (fresh->name[i] = name[i]); i++) {}
    fresh->value = __tp_nondet_bool() ? __tp_any_text(fresh->place, TEXT) : 0;
    return fresh;
}

char *getenv(const char *name) {
    __tp_read_text(name, -1);
    tp_atomic_begin();
    struct variable *found = variable(name);
    if (!found) found = new_variable(name);
    tp_atomic_end();
    return found->value;
}

char *secure_getenv(const char *name) { return getenv(name); }

/* The number of processors is small and stays the same. */
static int processors;

static int processor_count(void) {
    __tp_undivided_begin();
    int count = __atomic_load_n(&processors, __ATOMIC_RELAXED);
    if (!count) {
        count = tp_nondet_range(1, 2);
        __atomic_store_n(&processors, count, __ATOMIC_RELAXED);
    }
    __tp_undivided_end();
    return count;
}

int get_nprocs(void) { return processor_count(); }
int get_nprocs_conf(void) { return processor_count(); }
unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return processor_count(); }
int getpagesize(void) { return 4096; }

long sysconf(int name) {
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return processor_count();
    }
    long value = __tp_nondet_long();
    tp_assume(value >= -1);
    return value;
}

/* The process is the only one there is. */
int getpid(void) { return 1000; }

char *getcwd(char *to, size_t size) {
    if (!to) __tp_unsupported("getcwd that allocates");
    if (size < 2 || __tp_nondet_bool()) {
        __tp_maybe_failed(-1);
        return 0;
    }
    __tp_fill(to, size);
    to[0] = '/';
    to[size - 1] = 0;
    return to;
}
