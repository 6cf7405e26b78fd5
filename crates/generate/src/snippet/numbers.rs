//! Pointers as integers: tags, hashes, halves, distances, orders.
//!
//! What these compute does not depend on where objects lie, so that the same
//! comes out wherever the program runs.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "number = (unsigned long)&x0 | $k;",
        "number = (unsigned long)&x1;",
        "{ unsigned long n = number; if (n & ~3ul) *(int *)(n & ~3ul) = $k; $a = n & 3; }",
        "{ unsigned long n = number; if (n & ~3ul) $a = *(int *)(n - (n & 3)); }",
        "{ unsigned long n = number; $a = atomic_compare_exchange_strong(&number, &n, n ^ 1); }",
        "atomic_fetch_xor(&number, $k);",
        "{ unsigned long n = (unsigned long)&x1; bucket[(n >> 4) % 3] = n; }",
        "{ unsigned long n = (unsigned long)&x1; $a = bucket[(n >> 4) % 3] == n; }",
        "{ unsigned long n = bucket[(((unsigned long)&x1) >> 4) % 3]; if (n) $a = *(int *)n; }",
        "{ unsigned long n = (unsigned long)&x0; unsigned low = n, high = n >> 32; \
         *(int *)((unsigned long)high << 32 | low) = $k; }",
        "{ unsigned long n = (unsigned long)&x0 ^ (unsigned long)&x1; *(int *)(n ^ (unsigned long)&x1) = $k; }",
        "{ int *p = &x0, *q; memcpy(&q, &p, sizeof p); *q = $k; }",
        "{ int *p = &x1, *q; for (int i$i = 0; i$i < 8; i$i++) ((char *)&q)[i$i] = ((char *)&p)[i$i]; $a = *q; }",
        "{ void *p = malloc($k); $a = (int)((unsigned long)p & 15); free(p); }",
        "$a = (int)(&table[2] - &table[0]);",
        "$a = (int)((unsigned long)&table[1] - (unsigned long)table);",
        "{ pthread_mutex_t *p = &m0, *q = &m1; if ((unsigned long)p > (unsigned long)q) { p = &m1; q = &m0; } \
         pthread_mutex_lock(p); pthread_mutex_lock(q); $body pthread_mutex_unlock(q); pthread_mutex_unlock(p); }",
        "{ int *p = &x0 < &x1 ? &x0 : &x1, *q = p == &x0 ? &x1 : &x0; *p += 1; *q += 1; }",
        "{ int *p = (int *)((unsigned long)table + 4 * $k); *p = $k; $a = table[$k]; }",
        "{ unsigned long n = (unsigned long)table; n += 8; n -= 4; *(int *)n += $k; }",
        "{ int *p = malloc(4); unsigned long n = ~(unsigned long)p; *p = $k; $a = *(int *)~n; free(p); }",
        "{ int *p = malloc(4); *p = 0; atomic_exchange(&number, (unsigned long)p); }",
        "$a = (number & 3) == 1;",
        "{ int *p = &table[0]; $a = p + 3 == &table[3]; }",
    ],
    objects: &[
        ("number", "_Atomic unsigned long number;", "number & 3"),
        ("bucket", "_Atomic unsigned long bucket[3];", "(bucket[0] | bucket[1] | bucket[2]) != 0"),
    ],
    set_up: &[],
};
