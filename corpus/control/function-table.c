// A calculator that dispatches through a table of function pointers.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stddef.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static const struct {
    char symbol;
    operation function;
} operations[] = {{'+', add}, {'-', subtract}, {'*', multiply}};

static operation find(char symbol)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (operations[i].symbol == symbol)
            return operations[i].function;
    return NULL;
}

int main(void)
{
    assert(find('+')(2, 3) == 5);
    assert(find('-')(2, 3) == -1);
    assert((*find('*'))(2, 3) == 6);
    assert(find('/') == NULL);
    assert(find('+') == &add && find('-') != add);
    return 0;
}
