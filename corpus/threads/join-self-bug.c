// A thread joins itself.
// expect: lock-misuse=unsafe
#include <pthread.h>

static void *worker(void *arg)
{
    (void)arg;
    pthread_join(pthread_self(), 0); //~ lock-misuse
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
