// The arguments are texts, and a null pointer stands behind them.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <string.h>

int main(int argc, char *argv[])
{
    assert(argc >= 1);
    for (int i = 1; i < argc; i++)
        assert(strlen(argv[i]) <= 2);
    assert(argv[argc] == 0);
    return 0;
}
