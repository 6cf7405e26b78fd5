// An assertion in a thread fails in one of the two orders.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;

static void *worker(void *unused)
{
    (void)unused;
    assert(atomic_load(&stage) == 1); //~ assert
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&stage, 1);
    pthread_join(thread, NULL);
    return 0;
}
