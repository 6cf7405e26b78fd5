// Two threads double a flag; once it has reached the sign bit, the next one overflows.
// expect: assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe overflow=unsafe

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag = 1 << 29;

static void *twice(void *unused)
{
    pthread_mutex_lock(&lock);
    flag = flag << 1; //~ overflow
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, twice, 0);
    pthread_create(&second, 0, twice, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
