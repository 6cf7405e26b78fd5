// _Float16 counts by one only up to 2048.
// expect: assert=unsafe

#include <assert.h>

int main(void)
{
    _Float16 counter = 2046;
    for (int i = 0; i < 4; i++)
        counter += 1;
    assert(counter == 2050); //~ assert
    return 0;
}
