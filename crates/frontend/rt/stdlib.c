/* Memory, sorting, random numbers. */
#include <errno.h>

#include "rt.h"

void *realloc(void *old, size_t size) {
    if (!old) return __tp_malloc(size);
    if (!size) {
        free(old);
        return 0;
    }
    size_t had = __tp_object_size(old);
    void *fresh = __tp_malloc(size);
    if (!fresh) return 0;
    memcpy(fresh, old, had < size ? had : size);
    /* It may have stayed where it was. */
    __tp_free_for(old, fresh);
    return fresh;
}

void *reallocarray(void *old, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size) return 0;
    return realloc(old, count * size);
}

static int is_power_of_two(size_t n) { return n && !(n & (n - 1)); }

int posix_memalign(void **to, size_t align, size_t size) {
    if (!is_power_of_two(align) || align % sizeof(void *)) return EINVAL;
    void *fresh = __tp_aligned_malloc(size, align);
    if (!fresh) return ENOMEM;
    *to = fresh;
    return 0;
}

void *aligned_alloc(size_t align, size_t size) {
    if (!is_power_of_two(align)) {
        errno = EINVAL;
        return 0;
    }
    return __tp_aligned_malloc(size, align);
}

/* glibc rounds up what is no power of two. */
void *memalign(size_t align, size_t size) {
    size_t power = 1;
    while (power < align && power << 1) power <<= 1;
    return aligned_alloc(power, size);
}

#define PAGE 4096
void *valloc(size_t size) { return aligned_alloc(PAGE, size); }
void *pvalloc(size_t size) { return aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE); }

static _Thread_local int error_number;

int *__errno_location(void) { return &error_number; }

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

struct quotient { int quot, rem; };
struct long_quotient { long quot, rem; };
struct wide_quotient { long long quot, rem; };

struct quotient div(int n, int by) { return (struct quotient){n / by, n % by}; }
struct long_quotient ldiv(long n, long by) { return (struct long_quotient){n / by, n % by}; }
struct wide_quotient lldiv(long long n, long long by) { return (struct wide_quotient){n / by, n % by}; }

static void swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *items = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(items + (j - 1) * size, items + j * size) > 0; j--)
            swap(items + (j - 1) * size, items + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *items = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, items + middle * size);
        if (order == 0) return (void *)(items + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* The next number can be any; the seed is read and written. */
int rand_r(unsigned *seed) {
    (void)*seed;
    *seed = __tp_nondet_uint();
    int number = __tp_nondet_int();
    tp_assume(number >= 0);
    return number;
}
