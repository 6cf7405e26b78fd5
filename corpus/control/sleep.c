// However long the worker sleeps, main waits for it.
// expect: default=safe
// final-states: 1

#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int result;

static void *worker(void *unused)
{
    (void)unused;
    struct timespec pause = {0, 1000};
    sleep(1);
    usleep(10);
    nanosleep(&pause, NULL);
    result = 42;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(result == 42);
    return 0;
}
