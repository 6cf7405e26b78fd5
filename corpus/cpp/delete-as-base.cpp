// Jobs that go back with their right size: through a virtual destructor, as they are, in arrays, over-aligned, as void.
// expect: default=safe leak=safe

#include <new>
#include <thread>

struct Job {
    int number = 1;
    virtual ~Job() {}
};

struct LargeJob : Job {
    long data[4] = {};
    ~LargeJob() override { data[0] = number; }
};

struct Base {
    int number = 1;
};

struct SameSize : Base {
    void twice() { number *= 2; }
};

struct Counted {
    char byte = 1;
    ~Counted() { byte = 0; }
};

struct alignas(64) Wide {
    char byte = 1;
    ~Wide() { byte = 0; }
};

struct Empty {};

static Job *waiting;

int main()
{
    waiting = new LargeJob;
    std::thread worker([] { delete waiting; });
    worker.join();

    delete new SameSize;
    delete new Empty;
    delete new Wide;
    delete[] new Wide[3];
    delete[] new Counted[3];
    delete[] new Counted[0];
    delete[] new int[5];
    delete static_cast<Job *>(nullptr);

    void *place = ::operator new(sizeof(Base) + 100);
    Base *base = new (place) Base;
    base->~Base();
    ::operator delete(place);
    return 0;
}
