// A job that is deleted through a base class without a virtual destructor goes back with the size of the base class.
// expect: memory=unsafe

#include <thread>

struct Job {
    int number = 1;
};

struct LargeJob : Job {
    long data[4] = {};
};

static Job *waiting;

int main()
{
    waiting = new LargeJob;
    std::thread worker([] {
        delete waiting; //~ memory
    });
    worker.join();
    return 0;
}
