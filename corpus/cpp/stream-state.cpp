// What stands in a stream of the library is not known: it is no fault to look at it.
// expect: memory=unknown assert=unknown
#include <cassert>
#include <iomanip>
#include <iostream>

int main()
{
    std::cout << std::setw(3) << 1;
    assert(std::cout.good());
}
