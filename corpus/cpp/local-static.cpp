// A static variable of a function is initialised once, by whichever thread comes first; the others wait.
// expect: default=safe

#include <cassert>
#include <thread>

static int made;

struct Table {
    int size;
    Table() : size(3) { made++; }
};

static Table &table()
{
    static Table only;
    return only;
}

int main()
{
    int seen = 0;
    std::thread other([&seen] { seen = table().size; });
    assert(table().size == 3);
    other.join();
    assert(seen == 3 && made == 1);
    return 0;
}
