//! Variables of blocks, whose lives begin and end many times in one call.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "for (int i$i = 0; i$i < 2; i$i++) { int inner = i$i; lent = &inner; $body lent = 0; }",
        "for (int i$i = 0; i$i < 2; i$i++) { int inner = i$i; lent = &inner; $a = *lent; inner++; lent = 0; }",
        "{ int *p = lent; if (p) *p = $k; }",
        "{ int *p = lent; if (p) $a = *p; }",
        "{ int *last = 0; for (int i$i = 0; i$i < 2; i$i++) { int inner = $k; if (i$i && $b == 1) $a = *last; \
         last = &inner; } }",
        "for (int i$i = 0; i$i < 2; i$i++) { int pair[2] = { i$i, $k }; lent = &pair[1]; pair[0] += *lent; lent = 0; \
         $a = pair[0]; }",
        "for (int i$i = 0; i$i < 2; i$i++) { lent = (int[]){ i$i, $k }; int *p = lent; $a = p ? p[1] : 3; lent = 0; }",
        "{ __label__ again; int n = 0; again: ; int v = n; int *p = &v; n++; *p += 1; if (n < 2) goto again; $a = v; }",
        "for (int n = 1; n < 3; n++) { int many[n]; many[n - 1] = n; lent = &many[n - 1]; $a = *many * (n == 1); \
         lent = 0; }",
        "{ int *p = 0; for (int i$i = 0; i$i < 2; i$i++) { int *q = __builtin_alloca(4); *q = i$i + $k; \
         if (p) $a = *p; p = q; } }",
        "{ int *p; { int inner = $k; p = &inner; $a = *p; } { int other = 2; lent = &other; $a += *lent; lent = 0; } \
         if ($a == 7) $b = *p; }",
        "$a = deep($k, 0);",
        "{ struct pair2 { int a, b; } one = { $k, 1 }, two; two = one; lent = &two.b; two.a += one.b; $a = two.a; \
         lent = 0; }",
        "{ static _Atomic int calls; $a = calls++ & 3; }",
        "{ int inner; lent = 0; inner = $k; for (int i$i = 0; i$i < 2; i$i++) { int *p = &inner; *p += i$i; $body } \
         $a = inner; }",
        "switch ($b) { case 0: { int inner = $k; lent = &inner; $body lent = 0; break; } default: { int inner = 3; \
         lent = &inner; lent = 0; $a = inner; } }",
        "{ int *mine_too = &(int){ $k }; for (int i$i = 0; i$i < 2; i$i++) { *mine_too += 1; } $a = *mine_too & 3; }",
        "while (1) { int inner = $k; int *p = &inner; if (*p) { $a = *p; break; } }",
    ],
    objects: &[
        ("lent", "_Atomic(int *) lent;", ""),
        (
            "deep(",
            "static int deep(int n, int *above) { int here = n; \
             return (above ? *above : 0) + (n ? deep(n - 1, &here) : here); }",
            "",
        ),
    ],
    set_up: &[],
};
