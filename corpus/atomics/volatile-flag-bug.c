// A volatile flag orders nothing between threads and is not atomic: by C11 this is a race.
// expect: race=unsafe

#include <pthread.h>

static volatile int stop;

static void *work(void *unused)
{
    while (!stop) //~ race
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    stop = 1; //~ race
    pthread_join(thread, NULL);
    return 0;
}
