// The number of arguments is an input.
// expect: assert=unsafe memory=safe

#include <assert.h>

int main(int argc, char **argv)
{
    assert(argc < 3); //~ assert
    return 0;
}
