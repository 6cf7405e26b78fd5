// A compiler barrier beside a release store and an acquire load, which do the work.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
    (void)unused;
    data = 42;
    __asm__ volatile("" ::: "memory");
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    __asm__ volatile("" ::: "memory");
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
