//! Output of shared strings.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "puts(text);",
        "printf(\"%s %d\\n\", text, $b);",
        "text[1] = 'c';",
        "text[$k] = 0;",
        "fputs(text, stdout);",
        "fwrite(text, 1, $k + 1, stdout);",
        "fwrite(text, 1, 3 + $k, stdout);",
        "printf(\"%.*s\\n\", $k, text);",
        "{ char line[8]; $a = snprintf(line, sizeof line, \"%s%d\", text, $b & 1); }",
        "{ char line[4]; snprintf(line, sizeof line, \"%s\", text); $a = line[0] == 'a'; }",
        "printf(\"%p\\n\", (void *)title);",
        "{ char *p = title; if (p) puts(p); }",
        "{ char *p = title; if (p) printf(\"%s\\n\", p); }",
        "{ char *p = title; if (p) printf(\"%d\\n\", p[0]); }",
        "{ char *p = atomic_exchange(&title, 0); free(p); }",
        "{ char *p = malloc(2); p[0] = 'x'; p[1] = 0; title = p; }",
        "{ char *p = malloc(2); p[0] = 'x'; title = p; p[1] = 0; }",
        "{ char *p = malloc(2); p[0] = 'x'; p[1] = $k - 1; if ($b == 2) puts(p); free(p); }",
        "{ int n = 0; printf(\"ab%n\\n\", &n); $a = n; }",
        "printf(\"%d %ld %c %u %x %s\\n\", $b, (long)$a, 'x', 3u, 255, \"end\");",
        "putchar('a' + ($b & 1));",
        "write(1, text, $k);",
        "fprintf(stderr, \"%s\", text);",
        "fflush(stdout);",
        "pthread_mutex_lock(&text_lock); text[1] = 'd'; pthread_mutex_unlock(&text_lock);",
        "pthread_mutex_lock(&text_lock); puts(text); pthread_mutex_unlock(&text_lock);",
        "pthread_mutex_lock(&text_lock); $a = (int)strlen(text); pthread_mutex_unlock(&text_lock);",
    ],
    objects: &[
        ("text", "char text[4] = \"ab\";", "text[1]"),
        ("title", "_Atomic(char *) title;", "title != 0"),
        ("text_lock", "pthread_mutex_t text_lock = PTHREAD_MUTEX_INITIALIZER;", ""),
    ],
    set_up: &[],
};
