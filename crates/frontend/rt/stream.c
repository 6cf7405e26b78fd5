/* Streams: what is read from them is an input, what is written to them is
 * read. An open stream is an object of the heap that closing it frees. The
 * table in lower/environment.rs has the functions that need one line. */
#include <stdarg.h>
#include <stdio.h>

#include "rt.h"

static int is_standard(const FILE *stream) { return stream == stdin || stream == stdout || stream == stderr; }

/* Threads may share a stream: it has a lock of its own. */
void __tp_use_stream(const void *stream) { (void)__atomic_load_n((const char *)stream, __ATOMIC_SEQ_CST); }

static FILE *maybe_open(void) {
    if (__tp_nondet_bool()) {
        __tp_maybe_failed(-1);
        return 0;
    }
    char *stream = __tp_malloc(1);
    if (stream) *stream = 0;
    return (FILE *)stream;
}

FILE *fopen(const char *path, const char *mode) {
    __tp_read_text(path, -1);
    __tp_read_text(mode, -1);
    return maybe_open();
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
FILE *popen(const char *command, const char *mode) { return fopen(command, mode); }

FILE *fdopen(int descriptor, const char *mode) {
    __tp_read_text(mode, -1);
    return maybe_open();
}

FILE *tmpfile(void) { return maybe_open(); }

int fclose(FILE *stream) {
    __tp_use_stream(stream);
    if (!is_standard(stream)) free(stream);
    if (__tp_nondet_bool()) return 0;
    __tp_maybe_failed(-1);
    return -1;
}

int pclose(FILE *stream) {
    fclose(stream);
    return __tp_nondet_int();
}

/* The new stream is the old one, which is closed if the file cannot be opened. */
FILE *freopen(const char *path, const char *mode, FILE *stream) {
    __tp_use_stream(stream);
    if (path) __tp_read_text(path, -1);
    __tp_read_text(mode, -1);
    if (__tp_nondet_bool()) return stream;
    if (!is_standard(stream)) free(stream);
    return 0;
}

/* A line or part of one: nothing but the end follows where a line ends. The
 * bytes behind the end can be anything, too. */
char *fgets(char *to, int size, FILE *stream) {
    __tp_use_stream(stream);
    if (size <= 0 || __tp_nondet_bool()) return 0;
    __tp_fill(to, size - 1);
    to[size - 1] = 0;
    /* One condition without branches: the characters are unknown. It is about
     * the first of them only, since solvers are slow with long lines. */
    int is_line = size == 1 || to[0] != 0, most = size - 2 < 100 ? size - 2 : 100;
    for (int n = 0; n < most; n++) is_line &= (to[n] != '\n') | (to[n + 1] == 0);
    tp_assume(is_line);
    return to;
}

char *gets(char *to) {
    char *at = to;
    if (__tp_nondet_bool()) return 0;
    for (; __tp_nondet_bool(); at++) {
        *at = __tp_any_char();
        tp_assume(*at != '\n');
    }
    *at = 0;
    return to;
}

#define LINE 3

/* A line of at most LINE characters, in a buffer that is enlarged if it must be. */
ssize_t getline(char **line, size_t *size, FILE *stream) {
    __tp_use_stream(stream);
    if (__tp_nondet_bool()) return -1;
    if (!*line || *size < LINE + 1) {
        char *larger = __tp_malloc(LINE + 1);
        if (!larger) return -1;
        free(*line);
        *line = larger;
        *size = LINE + 1;
    }
    ssize_t n = 1;
    (*line)[0] = __tp_any_char();
    for (; n < LINE && __tp_nondet_bool(); n++) {
        tp_assume((*line)[n - 1] != '\n');
        (*line)[n] = __tp_any_char();
    }
    (*line)[n] = 0;
    return n;
}
