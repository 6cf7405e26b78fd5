// An option behind another argument is found all the same.
// expect: default=unsafe

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char *arguments[] = {"prog", "file", "-v", 0};
    int is_verbose = getopt(3, arguments, "v") == 'v';
    assert(!is_verbose); //~ assert
    return 0;
}
