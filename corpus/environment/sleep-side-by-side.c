// Two threads that sleep for a second: however they overlap, a second has passed.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *worker(void *unused)
{
    (void)unused;
    sleep(1);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    time_t before = time(NULL);
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    time_t after = time(NULL);
    assert(after - before >= 1);
    return 0;
}
