// select may take away from the time that it is given: two threads that share one race.
// expect: race=unsafe

#include <pthread.h>
#include <sys/select.h>

struct timeval pause = {0, 100};

static void *rest(void *unused)
{
    select(0, 0, 0, 0, &pause);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, rest, 0);
    pthread_create(&second, 0, rest, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
