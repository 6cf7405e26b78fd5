// Threads in the 32-bit data model: the argument is an integer in a four-byte pointer.
// expect: default=safe overflow=safe
// data-model: ilp32
// final-states: 1

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    sum += (long)arg;
    pthread_mutex_unlock(&lock);
    return (void *)(2 * (long)arg);
}

int main(void)
{
    pthread_t threads[2];
    void *results[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, (void *)(i + 5));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    assert(sum == 11);
    assert((long)results[0] == 10 && (long)results[1] == 12);
    return 0;
}
