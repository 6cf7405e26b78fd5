// In C++, pthread_exit calls the destructors of the thread's variables, here the one that gives the lock back. That is not followed.
// expect: deadlock=unknown

#include <mutex>
#include <pthread.h>

static std::mutex lock;
static int count;

static void *worker(void *)
{
    std::lock_guard<std::mutex> guard(lock);
    count++;
    pthread_exit(nullptr);
}

int main()
{
    pthread_t first, second;
    pthread_create(&first, nullptr, worker, nullptr);
    pthread_create(&second, nullptr, worker, nullptr);
    pthread_join(first, nullptr);
    pthread_join(second, nullptr);
    return 0;
}
