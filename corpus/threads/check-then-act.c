// Finding room and taking it are one step under the lock.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guests;

static void *enter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (guests < 1)
        guests++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(guests == 1);
    return 0;
}
