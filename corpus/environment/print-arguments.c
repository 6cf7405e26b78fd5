// Formats and the arguments that they read, of every kind.
// expect: default=safe

#include <stddef.h>
#include <stdio.h>

int main(void)
{
    char name[4] = "abc";
    size_t size = sizeof name;
    ptrdiff_t distance = 2;
    printf("%d %5u %-3hhd %ld %lld %zu %td %x\n", 1, 2u, (char)3, 4L, 5LL, size, distance, 6);
    printf("%c %s %10s %.2s %*d %p %%\n", 'c', name, "constant", name, 4, 5, (void *)name);
    printf("%f %.2f %e %g\n", 1.0, 2.5f, 3.0, 4.0);
    fprintf(stderr, "%s\n", "text");
    return 0;
}
