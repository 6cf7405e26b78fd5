// The first argument is used though there may be none.
// expect: memory=unsafe

#include <stdlib.h>

int main(int argc, char **argv)
{
    return atoi(argv[1]) > 3; //~ memory
}
