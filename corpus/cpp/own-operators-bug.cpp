// Operators new and delete of the program's own of which the second forgets the header: what is freed is not what was allocated.
// expect: memory=unsafe

#include <cassert>
#include <cstdlib>
#include <new>

static int alive;

void *operator new(std::size_t size)
{
    alive++;
    long *header = static_cast<long *>(std::malloc(size + 16));
    header[0] = static_cast<long>(size);
    return header + 2;
}

void operator delete(void *pointer) noexcept
{
    alive--;
    std::free(pointer); //~ memory
}

struct Job {
    int number = 1;
    virtual ~Job() {}
};

struct LargeJob : Job {
    long data[4] = {};
};

int main()
{
    Job *job = new LargeJob;
    assert(alive == 1);
    delete job;
    delete new int(3);
    assert(alive == 0);
    return 0;
}
