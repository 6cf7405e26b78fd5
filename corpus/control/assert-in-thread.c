// The stage is set before the thread exists.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;

static void *worker(void *unused)
{
    (void)unused;
    assert(atomic_load(&stage) == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    atomic_store(&stage, 1);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
