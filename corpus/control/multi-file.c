// A program of two source files that share a counter, its lock and a function pointer.
// expect: default=safe overflow=safe
// with: multi-file-counter.c
// final-states: 1

#include <assert.h>
#include <pthread.h>

extern int counter;
void counter_increment(void);
int counter_value(void);

static void hidden(void) { counter += 100; } // not the one of the other file

static void *worker(void *unused)
{
    (void)unused;
    counter_increment();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter_value() == 2);
    hidden();
    assert(counter == 102);
    return 0;
}
