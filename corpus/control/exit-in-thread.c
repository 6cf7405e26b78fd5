// exit in a thread ends the whole process, main's wait for that thread included.
// expect: default=safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    (void)unused;
    exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(0 && "not reached");
    return 0;
}
