// A spin lock of hand-written assembly that is polled and unlocked by mov, which on this processor loads with acquire and stores with release.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int lock;
static int counter;

static int load(const int *word)
{
    int value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*word) : "memory");
    return value;
}

static void store(int *word, int value)
{
    __asm__ volatile("movl %1, %0" : "=m"(*word) : "r"(value) : "memory");
}

static int exchange(int *word, int value)
{
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}

static void *worker(void *unused)
{
    (void)unused;
    while (exchange(&lock, 1))
        while (load(&lock))
            ;
    counter++;
    store(&lock, 0);
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
