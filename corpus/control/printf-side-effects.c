// The arguments of output functions are evaluated, whatever becomes of the output.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdio.h>

static int calls;

static const char *name(void)
{
    calls++;
    return "worker";
}

int main(void)
{
    int n = 0;
    printf("%d %s %.1f\n", ++n, name(), 0.5);
    fprintf(stderr, "%d\n", n++);
    puts(name());
    putchar('a' + n++);
    printf("done\n");
    fflush(stdout);
    assert(n == 3);
    assert(calls == 2);
    return 0;
}
