// The arguments that the option gives are those that the program gets.
// expect: default=safe
// options: --args=-n

#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    assert(argc == 2 && !strcmp(argv[1], "-n") && !argv[2]);
    assert(getopt(argc, argv, "n") == 'n');
    assert(getopt(argc, argv, "n") == -1 && optind == 2);
    return 0;
}
