// Room is left for the zero behind what was read; a failure has its reason in errno.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    char buffer[8];
    ssize_t length = read(0, buffer, sizeof buffer - 1);
    if (length < 0) {
        assert(errno > 0);
        return 1;
    }
    buffer[length] = 0;
    return 0;
}
