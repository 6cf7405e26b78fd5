// A compiler barrier orders nothing between threads: the flag and the data still race.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;

static void *producer(void *unused)
{
    (void)unused;
    data = 42; //~ race
    __asm__ volatile("" ::: "memory");
    ready = 1; //~ race
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    while (!ready)
        ;
    __asm__ volatile("" ::: "memory");
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
