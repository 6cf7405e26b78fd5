// Sleeping is no synchronisation: the worker may still be asleep when main looks.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int result;

static void *worker(void *unused)
{
    (void)unused;
    atomic_store(&result, 42);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    sleep(1);
    assert(atomic_load(&result) == 42); //~ assert
    pthread_join(thread, NULL);
    return 0;
}
