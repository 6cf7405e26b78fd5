// What is read from an atomic number and written back in two steps loses what is added meanwhile.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic float sum;

static void *worker(void *arg)
{
    sum += 1.5f;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    sum = sum + 2.5f;
    pthread_join(thread, NULL);
    assert(sum == 4.0f); //~ assert
    return 0;
}
