// Threads call a virtual method that caches its last result in the shared object.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe
// expect: arithmetic=safe overflow=safe
#include <cassert>
#include <thread>

struct Job {
    virtual ~Job() = default;
    virtual int run(int input) = 0;
};

struct Square : Job {
    int run(int input) override {
        last = input * input; //~ race
        return last;          //~ race
    }
    int last = 0;
};

static void execute(Job *job, int input, int *result) {
    *result = job->run(input);
}

int main() {
    Square square;
    int results[2] = {0, 0};
    std::thread a(execute, &square, 2, &results[0]);
    std::thread b(execute, &square, 3, &results[1]);
    a.join();
    b.join();
    assert(results[0] == 4 && results[1] == 9); //~ assert
}
