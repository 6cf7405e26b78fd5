// A 64-bit counter of a 32-bit program, incremented by cmpxchg8b.
// expect: default=safe
// data-model: ilp32
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static unsigned long long counter = 0xffffffff;

static unsigned long long exchange(unsigned long long *at, unsigned long long old, unsigned long long new)
{
    unsigned long long before;
    __asm__ volatile("lock; cmpxchg8b %1"
                     : "=A"(before), "+m"(*at)
                     : "b"((unsigned)new), "c"((unsigned)(new >> 32)), "0"(old)
                     : "memory", "cc");
    return before;
}

static void *worker(void *unused)
{
    (void)unused;
    unsigned long long old = 0, seen;
    while ((seen = exchange(&counter, old, old + 1)) != old)
        old = seen;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 0x100000001);
    return 0;
}
