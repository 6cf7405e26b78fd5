// Texts, strings and numbers are printed to a stream of C++.
// expect: default=safe

#include <iostream>
#include <string>

int main()
{
    char code[3] = "ab";
    std::string name = "name";
    std::cout << "code " << code << ' ' << name << ' ' << 3 << ' ' << 2.5 << std::endl;
    return 0;
}
