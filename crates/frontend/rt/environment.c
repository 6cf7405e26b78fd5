/* What the process is given: arguments, environment variables, the machine. */
#include <errno.h>
#include <pthread.h>
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
 * and the same whenever it is asked for, until the program sets it. A text that
 * was set stays where it is when it is set again, as in the GNU library. */
#define VARIABLES 8
#define NAME 32
#define TEXT 3
#define TEXTS 8
#define LONGEST 31

static struct variable {
    char name[NAME];
    char *value;
    char place[TEXT + 1];
} variables[VARIABLES];
static int variable_count;

static char texts[TEXTS][LONGEST + 1];
static int text_count;

/* Setting a variable while another thread asks for one is a data race. */
static char any_change;

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

static struct variable *find(const char *name) {
    struct variable *found = variable(name);
    return found ? found : new_variable(name);
}

char *getenv(const char *name) {
    __tp_read_text(name, -1);
    (void)*(volatile char *)&any_change;
    tp_atomic_begin();
    char *value = find(name)->value;
    tp_atomic_end();
    return value;
}

char *secure_getenv(const char *name) { return getenv(name); }

static char *keep(const char *text) {
    if (text_count == TEXTS) __tp_unsupported("more than 8 changes of environment variables");
    if (strlen(text) > LONGEST) __tp_unsupported("a long environment variable");
    char *kept = texts[text_count++];
    for (int i = 0; (kept[i] = text[i]); i++) {}
    return kept;
}

/* The length of a variable's name: up to a sign of equality. */
static size_t name_length(const char *text) {
    size_t length = 0;
    while (text[length] && text[length] != '=') length++;
    return length;
}

static int is_name(const char *name) {
    size_t length = name_length(name);
    if (length && !name[length]) return 1;
    errno = EINVAL;
    return 0;
}

int setenv(const char *name, const char *value, int overwrite) {
    __tp_read_text(name, -1);
    __tp_read_text(value, -1);
    if (!is_name(name)) return -1;
    any_change = 1;
    tp_atomic_begin();
    struct variable *found = find(name);
    if (!found->value || overwrite) found->value = keep(value);
    tp_atomic_end();
    return 0;
}

int unsetenv(const char *name) {
    __tp_read_text(name, -1);
    if (!is_name(name)) return -1;
    any_change = 1;
    tp_atomic_begin();
    find(name)->value = 0;
    tp_atomic_end();
    return 0;
}

/* The text itself becomes part of the environment. */
int putenv(char *text) {
    __tp_read_text(text, -1);
    char name[NAME];
    size_t length = name_length(text);
    if (!text[length]) return unsetenv(text);
    if (length >= NAME) __tp_unsupported("an environment variable with a long name");
    memcpy(name, text, length);
    name[length] = 0;
    any_change = 1;
    tp_atomic_begin();
    find(name)->value = text + length + 1;
    tp_atomic_end();
    return 0;
}

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
    case _SC_THREAD_STACK_MIN: return LEAST_STACK;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return processor_count();
    }
    long value = __tp_nondet_long();
    tp_assume(value >= -1);
    return value;
}

/* What PTHREAD_STACK_MIN stands for. */
long __sysconf(int name) { return sysconf(name); }

/* The process is the only one there is. Its first thread has its number. */
int getpid(void) { return 1000; }
int gettid(void) { return getpid() - 1 + (int)pthread_self(); }

/* Users and groups: they are not known, and stay the same. */
enum { USER, EFFECTIVE_USER, GROUP, EFFECTIVE_GROUP, IDENTITIES };
static struct identity {
    int known, number;
} identities[IDENTITIES];

static unsigned identity(int which) {
    struct identity *it = &identities[which];
    __tp_undivided_begin();
    if (!__atomic_load_n(&it->known, __ATOMIC_RELAXED)) {
        int number = __tp_nondet_int();
        tp_assume(number >= 0);
        __atomic_store_n(&it->number, number, __ATOMIC_RELAXED);
        __atomic_store_n(&it->known, 1, __ATOMIC_RELAXED);
    }
    unsigned number = __atomic_load_n(&it->number, __ATOMIC_RELAXED);
    __tp_undivided_end();
    return number;
}

uid_t getuid(void) { return identity(USER); }
uid_t geteuid(void) { return identity(EFFECTIVE_USER); }
gid_t getgid(void) { return identity(GROUP); }
gid_t getegid(void) { return identity(EFFECTIVE_GROUP); }

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

/* A name of at most 64 characters. One that does not fit need not have an end. */
int gethostname(char *to, size_t size) {
    enum { LONGEST_NAME = 64 };
    __tp_fill(to, size);
    if (size > LONGEST_NAME) to[LONGEST_NAME] = 0;
    if (__tp_nondet_bool()) return 0;
    __tp_maybe_failed(-1);
    return -1;
}
