//! Inputs that choose objects, functions, sizes and indices.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "{ int *p = __VERIFIER_nondet_int() ? &x0 : &x1; *p = $k; }",
        "{ int *p = __VERIFIER_nondet_int() ? &x0 : &x1; $a = *p; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); $a = table[n]; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); table[n] = $k; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 3); if (n != 3 || $b == 2) table[n] = $k; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); int *p = &table[n]; *p += $k; \
         $a = *p; }",
        "{ int *p = __VERIFIER_nondet_int() > $k ? &x0 : 0; if (p) $a = *p; }",
        "{ pthread_mutex_t *m = __VERIFIER_nondet_int() ? &m0 : &m1; pthread_mutex_lock(m); $body \
         pthread_mutex_unlock(m); }",
        "{ struct pair *p = __VERIFIER_nondet_int() ? &pair0 : &pair1; p->b += $k; $a = p->a; }",
        "{ struct pair *p = __VERIFIER_nondet_int() ? &pair0 : &pair1, *q = &pair0; p->a = $k; $a = q->a; }",
        "{ unsigned char c = __VERIFIER_nondet_uchar(); $a = c > 250; }",
        "{ unsigned char c = __VERIFIER_nondet_uchar(); c += 10; $a = c < 10; }",
        "$a = __VERIFIER_nondet_bool();",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 2); int *p = malloc(4 * n + 4); \
         p[n] = $k; $a = p[n]; free(p); }",
        "{ int (*f)(int) = __VERIFIER_nondet_int() ? twice_of : minus_one; $a = f($b) & 3; }",
        "switch (__VERIFIER_nondet_int()) { case 0: $a = 1; break; case 7: $a = 2; break; default: $a = 0; }",
        "{ int n = __VERIFIER_nondet_int(); if (n > 5 && n < 7) $a = n - 5; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 1 && n <= 2); x0 = n; $body $a = x0 == n; }",
        "{ int *p[2] = { &x0, &x1 }; int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 0 || n == 1); *p[n] += 1; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 2); chosen = n ? &x0 : &x1; }",
        "{ int *p = chosen; if (p) *p = $k; }",
        "{ int *p = chosen; if (p == &x0) $a = 1; }",
        "{ char c[4] = \"abc\"; int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); c[n] = 0; \
         $a = (int)strlen(c); }",
        "{ unsigned n = __VERIFIER_nondet_uint(); $a = n - 1 > n; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 2); unsigned long u = (unsigned long)\
         (n ? &x0 : &x1); *(int *)u = $k; }",
        "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); for (int i$i = 0; i$i < n; i$i++) \
         a0++; }",
    ],
    objects: &[
        (
            "twice_of",
            "static int twice_of(int n) { return 2 * n; }\nstatic int minus_one(int n) { return n - 1; }",
            "",
        ),
        ("chosen", "_Atomic(int *) chosen;", ""),
    ],
    set_up: &[],
};
