// mktime writes to the date that it is given: two threads that share one race.
// expect: race=unsafe
// inputs: too many

#include <pthread.h>
#include <time.h>

struct tm start = {.tm_year = 126, .tm_mday = 1};

static void *count(void *unused)
{
    mktime(&start);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
