// What is joined is no thread: the handle was never written by pthread_create.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe uninit=safe
#include <pthread.h>

static pthread_t handles[2];

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_create(&handles[0], 0, worker, 0);
    pthread_join(handles[0], 0);
    pthread_join(handles[1], 0); //~ lock-misuse
    return 0;
}
