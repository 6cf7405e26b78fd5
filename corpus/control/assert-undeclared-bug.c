// A program that calls assert without its header, and that fails.
// expect: assert=unsafe race=safe

#include <pthread.h>
#include <stddef.h>

static _Atomic int counter;

static void *worker(void *unused)
{
    (void)unused;
    counter = counter + 1;
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
