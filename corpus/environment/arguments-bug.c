// The program's argument is an input: it can be the text that fails.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 2)
        assert(strcmp(argv[1], "-x") != 0); //~ assert
    return 0;
}
