// Two threads that ask for the time do not race for the clock.
// expect: race=safe assert=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static time_t latest;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    time_t now = time(NULL);
    assert(now >= latest);
    latest = now;
    pthread_mutex_unlock(&lock);
    time(NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return 0;
}
