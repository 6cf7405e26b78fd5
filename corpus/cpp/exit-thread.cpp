// A thread of a C++ program may end by pthread_exit where no destructor is to be called.
// expect: default=safe

#include <cassert>
#include <pthread.h>

struct Counted {
    ~Counted() { count++; }
    static int count;
};

int Counted::count;

static void touch(Counted &) {}

static void *worker(void *)
{
    {
        Counted counted;
        touch(counted);
    }
    pthread_exit(nullptr);
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, worker, nullptr);
    pthread_join(thread, nullptr);
    assert(Counted::count == 1);
    return 0;
}
