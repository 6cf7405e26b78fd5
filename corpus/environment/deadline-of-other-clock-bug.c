// A condition waits by the calendar unless its attributes say otherwise: another clock need not have come as far.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;

static int is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

int main(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_cond_init(&condition, &attributes);
    struct timespec until, now;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 5;
    pthread_mutex_lock(&lock);
    int code = pthread_cond_timedwait(&condition, &lock, &until);
    pthread_mutex_unlock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (code == ETIMEDOUT)
        assert(!is_before(now, until)); //~ assert
    return 0;
}
