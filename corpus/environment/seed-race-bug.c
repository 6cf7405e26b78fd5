// Two threads share the seed of a generator of random numbers.
// expect: race=unsafe memory=safe
// inputs: too many

#include <pthread.h>
#include <stdlib.h>

static unsigned seed = 1;

static void *roll(void *unused)
{
    rand_r(&seed); //~ race
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, roll, 0);
    rand_r(&seed); //~ race
    pthread_join(thread, 0);
    return 0;
}
