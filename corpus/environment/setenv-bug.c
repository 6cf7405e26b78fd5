// A variable that the program found unset and set is no longer unset.
// expect: assert=unsafe

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    if (!getenv("MODE")) {
        setenv("MODE", "fast", 1);
        assert(!getenv("MODE")); //~ assert
    }
    return 0;
}
