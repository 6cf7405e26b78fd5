// An assertion that fails ends the program, which is defined: other properties are known all the same.
// expect: memory=safe race=safe assert=unsafe
// assume: nothing

#include <assert.h>

int main(void)
{
    int *nothing = 0;
    assert(nothing != 0); //~ assert
    return *nothing;
}
