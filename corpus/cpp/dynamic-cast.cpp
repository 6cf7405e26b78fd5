// Casts down, across, to virtual and to private bases, in two threads.
// expect: default=safe
#include <cassert>
#include <thread>

struct Base { virtual ~Base() {} };
struct Left : virtual Base { int left = 1; };
struct Right : virtual Base { int right = 2; };
struct Both : Left, Right {};
struct Other { virtual ~Other() {} int other = 3; };
struct Hidden : private Left, public Other {};
struct Single : Base { int single = 4; };
struct Twice : Single, Both {};

static Both both;
static Hidden hidden;
static Single single;
static Twice twice;

static void down_and_across(Base *base)
{
    Both *found = dynamic_cast<Both *>(base);
    assert(found && found->left == 1);
    assert(dynamic_cast<Right *>(static_cast<Left *>(found))->right == 2);
    assert(!dynamic_cast<Single *>(base));
}

int main()
{
    std::thread thread(down_and_across, &both);
    down_and_across(&both);
    thread.join();

    Other *other = &hidden;
    assert(dynamic_cast<Hidden *>(other) == &hidden);
    assert(!dynamic_cast<Left *>(other));

    Base *of_single = &single;
    assert(dynamic_cast<Single *>(of_single)->single == 4);
    assert(!dynamic_cast<Twice *>(of_single));
    Left *left = &twice;
    assert(dynamic_cast<Single *>(left) == static_cast<Single *>(&twice));
}
