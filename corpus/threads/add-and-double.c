// One thread adds 1, the other doubles, each under the lock: (1 + 1) * 2 = 4 or 1 * 2 + 1 = 3.
// expect: default=safe overflow=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 1;

static void *add(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    number += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *twice(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    number *= 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, twice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(number == 3 || number == 4);
    return 0;
}
