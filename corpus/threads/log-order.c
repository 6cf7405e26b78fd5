// Three threads append their letter to a log, one of them twice: 4! / 2! = 12 logs.
// expect: default=safe
// final-states: 12

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char entries[5];
static int length;

static void append(char letter)
{
    pthread_mutex_lock(&lock);
    entries[length++] = letter;
    pthread_mutex_unlock(&lock);
}

static void *once(void *arg)
{
    append(*(const char *)arg);
    return NULL;
}

static void *twice(void *arg)
{
    append(*(const char *)arg);
    append(*(const char *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, once, "a");
    pthread_create(&b, NULL, once, "b");
    pthread_create(&c, NULL, twice, "c");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
