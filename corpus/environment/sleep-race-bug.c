// nanosleep reads the time that it is given, which another thread writes meanwhile.
// expect: race=unsafe

#define _DEFAULT_SOURCE
#include <pthread.h>
#include <time.h>

static struct timespec pause_time = {0, 1000};

static void *worker(void *unused)
{
    (void)unused;
    nanosleep(&pause_time, NULL); //~ race
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pause_time.tv_nsec = 2000; //~ race
    pthread_join(thread, NULL);
    return 0;
}
