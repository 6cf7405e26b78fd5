// An assertion with a message joined to it by &&.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>

static int open_files = 1;

int main(void)
{
    assert(open_files >= 0 && "never negative");
    assert(open_files == 0 && "all files are closed at the end"); //~ assert
    return 0;
}
