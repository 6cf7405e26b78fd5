// Two threads may sleep for a second at the same time: two seconds need not pass.
// expect: assert=unsafe
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
    assert(after - before >= 2); //~ assert
    return 0;
}
