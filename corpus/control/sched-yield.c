// A loop that yields until a flag is set ends with the flag set.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
    (void)unused;
    data = 5;
    atomic_store(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    while (!atomic_load(&ready))
        sched_yield();
    assert(data == 5);
    pthread_join(thread, NULL);
    return 0;
}
