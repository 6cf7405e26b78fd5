/* What clang calls for atomics that it does not do with one instruction. */
#include <stdint.h>

#include "rt.h"

#define NAME(op, n) __atomic_##op##_##n

#define FETCH(n, type, op)                                                                                 \
    type NAME(fetch_##op, n)(type *p, type v, int order) { return __atomic_fetch_##op(p, v, order); }

#define SIZED(n, type)                                                                                     \
    type NAME(load, n)(type *p, int order) { return __atomic_load_n(p, order); }                           \
    void NAME(store, n)(type *p, type v, int order) { __atomic_store_n(p, v, order); }                     \
    type NAME(exchange, n)(type *p, type v, int order) { return __atomic_exchange_n(p, v, order); }        \
    _Bool NAME(compare_exchange, n)(type *p, type *expected, type v, int success, int failure) {           \
        return __atomic_compare_exchange_n(p, expected, v, 0, success, failure);                               \
    }                                                                                                      \
    FETCH(n, type, add) FETCH(n, type, sub) FETCH(n, type, and) FETCH(n, type, or) FETCH(n, type, xor)

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
typedef uint64_t aligned64 __attribute__((aligned(8)));
SIZED(8, aligned64)
#if __SIZEOF_POINTER__ == 8
SIZED(16, unsigned __int128)
#endif

/* Objects of any size: byte by byte, while no other thread runs. Each byte is
 * accessed with the order of the whole. */

static void read(char *to, char *from, size_t size, int order) {
    for (size_t i = 0; i < size; i++) to[i] = __atomic_load_n(from + i, order);
}

static void write(char *to, char *from, size_t size, int order) {
    for (size_t i = 0; i < size; i++) __atomic_store_n(to + i, from[i], order);
}

void load(size_t size, char *p, char *to, int order) __asm__("__atomic_load");
void store(size_t size, char *p, char *from, int order) __asm__("__atomic_store");

void load(size_t size, char *p, char *to, int order) {
    __tp_undivided_begin();
    read(to, p, size, order);
    __tp_undivided_end();
}

void store(size_t size, char *p, char *from, int order) {
    __tp_undivided_begin();
    write(p, from, size, order);
    __tp_undivided_end();
}

void exchange(size_t size, char *p, char *from, char *to, int order) __asm__("__atomic_exchange");
void exchange(size_t size, char *p, char *from, char *to, int order) {
    __tp_undivided_begin();
    for (size_t i = 0; i < size; i++) to[i] = __atomic_exchange_n(p + i, from[i], order);
    __tp_undivided_end();
}

_Bool compare_exchange(size_t size, char *p, char *expected, char *from, int success, int failure) __asm__(
    "__atomic_compare_exchange");
_Bool compare_exchange(size_t size, char *p, char *expected, char *from, int success, int failure) {
    _Bool same = 1;
    __tp_undivided_begin();
    for (size_t i = 0; i < size; i++)
        if (__atomic_load_n(p + i, failure) != expected[i]) same = 0;
    if (same)
        for (size_t i = 0; i < size; i++) __atomic_exchange_n(p + i, from[i], success);
    else
        read(expected, p, size, failure);
    __tp_undivided_end();
    return same;
}

_Bool is_lock_free(size_t size, const volatile void *p) __asm__("__atomic_is_lock_free");
_Bool is_lock_free(size_t size, const volatile void *p) { return size <= 8; }
