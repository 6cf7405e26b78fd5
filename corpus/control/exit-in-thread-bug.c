// The thread leaves through pthread_exit instead of exit, and main goes on.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    (void)unused;
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(0 && "reached"); //~ assert
    return 0;
}
