// A vector that is filled from a list, whose temporaries nothing but their scopes use.
// expect: default=safe
#include <cassert>
#include <thread>
#include <vector>

int main()
{
    std::vector<int> squares{1, 4, 9};
    std::thread last([&] { squares.push_back(16); });
    last.join();
    assert(squares.size() == 4 && squares.back() == 16);
}
