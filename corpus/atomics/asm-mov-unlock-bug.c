// A spin lock of hand-written assembly that tests the word by mov before it takes the lock by mov: two threads get in.
// expect: race=unsafe assert=unsafe deadlock=safe

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

static void *worker(void *unused)
{
    (void)unused;
    while (load(&lock))
        ;
    store(&lock, 1);
    counter++; //~ race
    store(&lock, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2); //~ assert
    return 0;
}
