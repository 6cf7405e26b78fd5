// A text without an end is printed to a stream of C++.
// expect: memory=unsafe assert=safe

#include <iostream>

int main()
{
    char code[2] = {'a', 'b'};
    std::cout << "code " << code << std::endl; //~ memory
    return 0;
}
