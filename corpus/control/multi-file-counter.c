// The second source file of multi-file.c.

#include <pthread.h>

int counter;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hidden(void) { counter += 1; }

void counter_increment(void)
{
    pthread_mutex_lock(&lock);
    hidden();
    pthread_mutex_unlock(&lock);
}

int counter_value(void)
{
    pthread_mutex_lock(&lock);
    int value = counter;
    pthread_mutex_unlock(&lock);
    return value;
}
