// Two threads that ask for the time before they write: that orders nothing, so they race.
// expect: race=unsafe

#include <pthread.h>
#include <time.h>

static int last_writer;

static void *worker(void *number)
{
    time(NULL);
    last_writer = *(int *)number; //~ race
    time(NULL);
    return NULL;
}

int main(void)
{
    int first = 1, second = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &second);
    worker(&first);
    pthread_join(thread, NULL);
    return 0;
}
