// The ceiling of a mutex is a priority of a real-time policy.
// expect: default=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    pthread_mutexattr_t attr;
    int ceiling;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_getprioceiling(&attr, &ceiling);
    assert(ceiling >= sched_get_priority_min(SCHED_FIFO));
    assert(pthread_mutexattr_setprioceiling(&attr, 50) == 0);
    assert(pthread_mutexattr_setprioceiling(&attr, 0) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&attr, 100) == EINVAL);
    pthread_mutexattr_getprioceiling(&attr, &ceiling);
    assert(ceiling == 50);
    return 0;
}
