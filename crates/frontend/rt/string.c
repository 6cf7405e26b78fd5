/* Strings and bytes, written to be read, one byte at a time. */
#include "rt.h"

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t strnlen(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i])) i++;
    return to;
}

char *stpcpy(char *to, const char *from) {
    while ((*to = *from)) to++, from++;
    return to;
}

char *strncpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    size_t end = strlen(to), i = 0;
    for (; i < n && from[i]; i++) to[end + i] = from[i];
    to[end + i] = 0;
    return to;
}

char *__strcpy_chk(char *to, const char *from, size_t size) { return strcpy(to, from); }
char *__strcat_chk(char *to, const char *from, size_t size) { return strcat(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) { return strncpy(to, from, n); }
char *__strncat_chk(char *to, const char *from, size_t n, size_t size) { return strncat(to, from, n); }

int strcmp(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
        if (!*a) return 0;
    }
    return 0;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int strcasecmp(const char *a, const char *b) {
    while (*a && lower((unsigned char)*a) == lower((unsigned char)*b)) a++, b++;
    return lower((unsigned char)*a) - lower((unsigned char)*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++) {
        int d = lower((unsigned char)*a) - lower((unsigned char)*b);
        if (d || !*a) return d;
    }
    return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return 0;
    }
}

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c) s++;
    return (char *)s;
}

char *strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}

size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && strchr(set, s[n])) n++;
    return n;
}

size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !strchr(set, s[n])) n++;
    return n;
}

char *strpbrk(const char *s, const char *set) {
    s += strcspn(s, set);
    return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *part) {
    size_t n = strlen(part);
    for (;; s++) {
        if (!strncmp(s, part, n)) return (char *)s;
        if (!*s) return 0;
    }
}

char *strtok_r(char *s, const char *set, char **rest) {
    if (!s) s = *rest;
    s += strspn(s, set);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, set);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}

char *strsep(char **rest, const char *set) {
    char *s = *rest;
    if (!s) return 0;
    char *end = s + strcspn(s, set);
    *rest = *end ? end + 1 : 0;
    *end = 0;
    return s;
}

char *__strsep(char **rest, const char *set) { return strsep(rest, set); }

char *__strtok_r(char *s, const char *set, char **rest) { return strtok_r(s, set, rest); }

static char *strtok_rest;

char *strtok(char *s, const char *set) { return strtok_r(s, set, &strtok_rest); }

char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = __tp_malloc(n);
    if (copy) memcpy(copy, s, n);
    return copy;
}

char *__strdup(const char *s) { return strdup(s); }

char *strndup(const char *s, size_t max) {
    size_t n = strnlen(s, max);
    char *copy = __tp_malloc(n + 1);
    if (!copy) return 0;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) return x[i] - y[i];
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return 0;
}

void *mempcpy(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
    return (char *)to + n;
}

char *strerror(int code) { return (char *)"error"; }

int ffs(int n) {
    for (int i = 0; i < 32; i++)
        if ((unsigned)n >> i & 1) return i + 1;
    return 0;
}

int ffsll(long long n) {
    for (int i = 0; i < 64; i++)
        if ((unsigned long long)n >> i & 1) return i + 1;
    return 0;
}

int ffsl(long n) { return ffsll(n); }
