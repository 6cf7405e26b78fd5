// The same flag decides twice: whoever skips the lock also skips the unlock.
// expect: lock-misuse=safe
// assume: nothing
// inputs: too many

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *unused)
{
    int careful;
    if (careful)
        pthread_mutex_lock(&lock);
    total++;
    if (careful)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
