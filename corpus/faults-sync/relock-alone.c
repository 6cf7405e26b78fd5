// A handler that is called with the lock held does not take it again; one that checks for errors is told so.
// expect: default=safe deadlock=safe lock-misuse=safe assert=safe
// assume: nothing
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int jobs, errors;

static void count_error(void) {
    int code = pthread_mutex_lock(&lock);
    assert(code == 0 || code == EDEADLK);
    errors++;
    if (code == 0) pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    jobs++;
    if (jobs == 2) count_error();
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(errors == 1);
    return 0;
}
