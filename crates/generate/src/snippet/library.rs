//! Functions of the C library, on shared and own memory.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "strcpy(line, $b ? \"ab\" : \"cde\");",
        "$a = (int)strlen(line);",
        "$a = strcmp(line, \"ab\") == 0;",
        "memset(line, 'x', $k); $a = line[0] == 'x';",
        "memcpy(line, \"pq\", 3);",
        "{ char copy[8]; memcpy(copy, line, sizeof copy); copy[7] = 0; $a = (int)strlen(copy); }",
        "{ char *p = strchr(line, 'b'); $a = p ? (int)(p - line) : 3; }",
        "pthread_mutex_lock(&line_lock); strcpy(line, $b ? \"ab\" : \"cde\"); pthread_mutex_unlock(&line_lock);",
        "pthread_mutex_lock(&line_lock); $a = (int)strlen(line); pthread_mutex_unlock(&line_lock);",
        "pthread_mutex_lock(&line_lock); strncat(line, \"z\", 1); line[6] = 0; pthread_mutex_unlock(&line_lock);",
        "{ char s[8]; snprintf(s, sizeof s, \"%d\", $b - 1); $a = atoi(s) + 1; }",
        "{ char s[8]; $a = sprintf(s, \"%x\", ($b & 1) * 255); }",
        "{ char s[16]; $a = snprintf(s, 3, \"%05d\", $b & 3) + (s[2] == 0); }",
        "{ char *end; long n = strtol(\"12x\", &end, 10); $a = n == 12 && *end == 'x'; }",
        "{ int v[3] = { 2, $b & 3, 1 }; qsort(v, 3, sizeof *v, ascending); $a = v[0]; }",
        "{ int v[3] = { 0, 1, 2 }, w = $b & 3, *f = bsearch(&w, v, 3, sizeof *v, ascending); $a = f ? (int)(f - v) : 3; }",
        "{ int *p = calloc(2, sizeof *p); $a = p[0] + p[1]; p[1] = $k; $b = p[1]; free(p); }",
        "{ char s[4] = \"abc\"; memmove(s + 1, s, 2); $a = s[2] == 'b'; }",
        "$a = abs($b - 2);",
        "{ char s[] = \"a b\", *rest, *word = strtok_r(s, \" \", &rest); $a = word[0] == 'a' && *rest == 'b'; }",
        "{ char *p = strdup(\"xy\"); p[1] = 'z'; $a = p[1] == 'z'; free(p); }",
        "$a = memcmp(\"ab\", line, 1) < 0;",
        "{ div_t d = div(-5, $k); $a = d.quot + 6; $b = d.rem + 2; }",
        "{ jobs = $k; void *(*f)(void *) = job; pthread_t t; pthread_create(&t, 0, f, &jobs); void *back; \
         pthread_join(t, &back); $a = back == &jobs; }",
        "$a = isdigit('0' + ($b & 1)) != 0 && toupper('a') == 'A';",
        "$a = sum(2, $b & 1, $k) & 3;",
        "{ const char *h = \"hello\", *p = strstr(h, \"ll\"); $a = p ? (int)(p - h) : 0; }",
        "{ char s[3]; $a = (int)strcspn(\"abc\", \"c\"); strncpy(s, \"a\", sizeof s); $b = s[2]; }",
        "{ long v = strtoul(\"0x1f\", 0, 0); $a = v == 31; }",
        "{ int n = 0; $a = sscanf(\"7 8\", \"%d\", &n) == 1 && n == 7; }",
    ],
    objects: &[
        ("line_lock", "pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;", ""),
        ("line", "char line[8];", "line[0] + line[1]"),
        (
            "ascending",
            "static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }",
            "",
        ),
        ("jobs", "_Atomic int jobs;", ""),
        ("job;", "static void *job(void *arg) { ++*(_Atomic int *)arg; return arg; }", ""),
        (
            "sum(",
            "static int sum(int n, ...) { va_list l; int s = 0; va_start(l, n); while (n--) s += va_arg(l, int); \
             va_end(l); return s; }",
            "",
        ),
    ],
    set_up: &[],
};
