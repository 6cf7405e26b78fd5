// Each thread has its own state of cancellation, and is told the one before.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg)
{
    (void)arg;
    int before = 7;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    assert(before == PTHREAD_CANCEL_ENABLE);
    return 0;
}

int main(void)
{
    int state, type;
    pthread_t thread;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_create(&thread, 0, worker, 0);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    assert(state == PTHREAD_CANCEL_ENABLE && type == PTHREAD_CANCEL_DEFERRED);
    pthread_setcancelstate(state, &state);
    assert(state == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(5, 0) != 0);
    pthread_join(thread, 0);
    return 0;
}
