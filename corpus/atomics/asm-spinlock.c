// A spin lock of hand-written assembly: cmpxchg with sete, and an exchange to unlock.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int lock;
static int counter;

static int try_lock(int *word)
{
    unsigned char taken;
    int expected = 0;
    __asm__ volatile("lock; cmpxchgl %3, %1\n\t"
                     "sete %0"
                     : "=q"(taken), "+m"(*word), "+a"(expected)
                     : "r"(1)
                     : "memory", "cc");
    return taken;
}

static void unlock(int *word)
{
    int free = 0;
    __asm__ volatile("xchgl %0, %1" : "+r"(free), "+m"(*word) : : "memory");
    assert(free == 1);
}

static void *worker(void *unused)
{
    (void)unused;
    while (!try_lock(&lock))
        ;
    counter++;
    unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
