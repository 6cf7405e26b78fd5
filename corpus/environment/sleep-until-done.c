// However often a thread sleeps while it waits: its clock does not go backwards.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void *worker(void *unused)
{
    (void)unused;
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    time_t before = time(NULL);
    pthread_create(&thread, NULL, worker, NULL);
    while (!done)
        sleep(1);
    assert(time(NULL) >= before);
    pthread_join(thread, NULL);
    return 0;
}
