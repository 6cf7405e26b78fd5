// Reading may fill the whole buffer: there is no room for the zero behind it.
// expect: memory=unsafe assert=safe
// inputs: too many

#include <unistd.h>

int main(void)
{
    char buffer[8];
    ssize_t length = read(0, buffer, sizeof buffer);
    if (length < 0)
        return 1;
    buffer[length] = 0; //~ memory
    return 0;
}
