// The initialisation of a function's static variable is guarded, what threads do with it afterwards is not.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <cassert>
#include <thread>

static int next()
{
    static int counter = 10;
    return counter++; //~ race
}

int main()
{
    int theirs = 0;
    std::thread other([&theirs] { theirs = next(); });
    int mine = next();
    other.join();
    assert(mine != theirs); //~ assert
    return 0;
}
