// Half a second is added to the time, with a carry: the nanoseconds are always part of a second.
// expect: default=safe
// inputs: too many
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&lock);
    int code = pthread_cond_timedwait(&changed, &lock, &until);
    assert(code == 0 || code == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return 0;
}
