// An object from new goes back by free.
// expect: memory=unsafe assert=safe race=safe

#include <cstdlib>

int main()
{
    int *number = new int(3);
    std::free(number); //~ memory
    return 0;
}
