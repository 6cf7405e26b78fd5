// The program of two source files again, but one thread passes the lock by.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// with: multi-file-counter.c
// final-states: 2

#include <pthread.h>

extern int counter;
void counter_increment(void);

static void *worker(void *unused)
{
    (void)unused;
    counter_increment();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    counter += 1; //~ race
    pthread_join(thread, NULL);
    return 0;
}
