// Threads call a virtual method of jobs of different classes.
// expect: default=safe overflow=safe
#include <cassert>
#include <thread>

struct Job {
    virtual ~Job() = default;
    virtual int run(int input) const = 0;
};

struct Twice : Job {
    int run(int input) const override { return 2 * input; }
};

struct Square : Job {
    int run(int input) const override { return input * input; }
};

static void execute(const Job *job, int input, int *result) {
    *result = job->run(input);
}

int main() {
    Twice twice;
    Square square;
    int results[2] = {0, 0};
    std::thread a(execute, &twice, 5, &results[0]);
    std::thread b(execute, &square, 5, &results[1]);
    a.join();
    b.join();
    assert(results[0] == 10 && results[1] == 25);
}
