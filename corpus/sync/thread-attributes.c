// What is set in the attributes of a thread is told again; what does not exist is refused.
// expect: default=safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    pthread_attr_t attr;
    struct sched_param param = {0};
    size_t size;
    int value;

    pthread_attr_init(&attr);
    assert(pthread_attr_getscope(&attr, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);

    assert(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN) == 0);
    assert(pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN - 1) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20);

    assert(pthread_attr_setschedpolicy(&attr, SCHED_RR) == 0);
    assert(pthread_attr_setschedpolicy(&attr, 1000) == EINVAL);
    assert(pthread_attr_getschedpolicy(&attr, &value) == 0 && value == SCHED_RR);

    assert(pthread_attr_setschedparam(&attr, &param) == EINVAL);
    param.sched_priority = sched_get_priority_max(SCHED_RR);
    assert(param.sched_priority > sched_get_priority_min(SCHED_RR));
    assert(pthread_attr_setschedparam(&attr, &param) == 0);
    assert(sched_get_priority_max(1000) == -1 && errno == EINVAL);

    assert(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setinheritsched(&attr, 1000) == EINVAL);
    assert(pthread_attr_getinheritsched(&attr, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    return 0;
}
