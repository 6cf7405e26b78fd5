//! Heap objects that are freed, and addresses that come back.
//!
//! Pointers to freed objects are compared, not followed, in most of these.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "{ int *fresh = malloc(sizeof *fresh); if (fresh) { *fresh = $k; hold = fresh; } }",
        "{ int *taken = atomic_exchange(&hold, 0); free(taken); }",
        "{ int *taken = atomic_exchange(&hold, 0); if (taken) $a = *taken; free(taken); }",
        "kept = hold;",
        "kept = hold;",
        "$a = kept == hold;",
        "$a = kept && kept == hold;",
        "{ int *p = malloc(4); free(p); int *q = malloc(4); $a = p == q; free(q); }",
        "{ int *p = malloc(4); unsigned long n = (unsigned long)p; free(p); p = malloc(4); \
         $a = (unsigned long)p == n; free(p); }",
        "{ int *p = malloc(4); free(p); long *q = malloc(200); $a = (void *)p == (void *)q; free(q); }",
        "{ int *p = malloc(4), *q = malloc(4); free(p); free(q); int *s = malloc(4); \
         $a = (s == p) + 2 * (s == q); free(s); }",
        "{ int *taken = atomic_exchange(&hold, 0); taken = realloc(taken, 2 * sizeof *taken); \
         if (taken) { taken[1] = $k; hold = taken; } }",
        "{ int *p = malloc(4); *p = $k; int *q = realloc(p, 64); $a = p == q; if (q) $b = *q; free(q); }",
        "pthread_mutex_lock(&heap_lock); if (!cell) { cell = malloc(sizeof *cell); *cell = $k; } \
         pthread_mutex_unlock(&heap_lock);",
        "pthread_mutex_lock(&heap_lock); free(cell); cell = 0; pthread_mutex_unlock(&heap_lock);",
        "pthread_mutex_lock(&heap_lock); $a = cell ? *cell : 3; pthread_mutex_unlock(&heap_lock);",
        "pthread_mutex_lock(&heap_lock); $a = kept == cell; kept = cell; pthread_mutex_unlock(&heap_lock);",
        "pthread_mutex_lock(&heap_lock); $body if (kept == cell && cell) *cell += $k; \
         pthread_mutex_unlock(&heap_lock);",
        "{ struct link *n = chain; if (n && atomic_compare_exchange_strong(&chain, &n, n->next)) free(n); }",
        "{ struct link *n = malloc(sizeof *n); n->next = chain; chain = n; }",
        "{ struct link *n = chain; $body $a = n == chain; }",
        "{ int *last = 0; $a = 0; for (int i$i = 0; i$i < 2; i$i++) { int inner = 0; if (last == &inner) $a = 1; \
         last = &inner; } }",
        "{ unsigned long last = 0; $a = 0; for (int i$i = 0; i$i < 2; i$i++) { int inner = i$i; \
         if (last == (unsigned long)&inner) $a++; last = (unsigned long)&inner; } }",
    ],
    objects: &[
        ("hold", "_Atomic(int *) hold;", "hold != 0"),
        ("heap_lock", "pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;", ""),
        ("chain", "struct link { struct link *next; };\n_Atomic(struct link *) chain;", "chain != 0"),
    ],
    set_up: &[],
};
